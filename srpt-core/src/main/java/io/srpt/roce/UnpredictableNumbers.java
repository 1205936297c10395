package io.srpt.roce;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Where keys, queue pair numbers, PSNs and communication ids come from: numbers that a peer cannot guess, made without a
 * system call. (The default {@link SecureRandom} of Linux reads a device file now and then, which an event loop must not.)
 */
final class UnpredictableNumbers {
    private UnpredictableNumbers() {}

    /** A generator that is seeded from the system now and reads nothing later. */
    static SecureRandom newGenerator() {
        try {
            SecureRandom generator = SecureRandom.getInstance("DRBG");
            // The first number takes the seed.
            generator.nextInt();
            return generator;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java since 9 has a DRBG", e);
        }
    }
}
