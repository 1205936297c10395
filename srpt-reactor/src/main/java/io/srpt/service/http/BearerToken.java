package io.srpt.service.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The secret that a request which changes something must carry: {@code Authorization: Bearer SECRET}. Keeps its digest only, which
 * is compared in a time that does not depend on the guess. Any thread.
 */
public final class BearerToken {
    /** Shorter ones can be guessed. */
    public static final int MIN_LENGTH = 16;

    /** Longer ones are some other file. */
    public static final int MAX_LENGTH = 512;

    private static final String SCHEME = "bearer ";

    private final byte[] digest;

    private BearerToken(byte[] digest) {
        this.digest = digest;
    }

    /**
     * The token with this text.
     *
     * @throws IllegalArgumentException if it cannot be sent in a header, or is too short or too long
     */
    public static BearerToken of(String secret) {
        if (secret.length() < MIN_LENGTH || secret.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a token has " + MIN_LENGTH + " to " + MAX_LENGTH + " characters, not " + secret.length());
        }
        if (!secret.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException("a token consists of printable ASCII characters without white space");
        }
        return new BearerToken(sha256(secret));
    }

    /** Whether {@code authorization}, the header of that name, carries it. */
    boolean isCarriedBy(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        return MessageDigest.isEqual(
                digest, sha256(authorization.substring(SCHEME.length()).strip()));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BearerToken token && MessageDigest.isEqual(digest, token.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    /** Does not tell the secret. */
    @Override
    public String toString() {
        return "a token";
    }
}
