package io.srpt;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What a test needs of the machine and of the build: where it is missing the test is skipped and says why, or fails with
 * {@code -Dsrpt.tools=required}.
 */
public final class Needed {
    private static final boolean REQUIRED = "required".equals(System.getProperty("srpt.tools"));

    private Needed() {}

    /** Goes on if it is {@code there}; {@code reason} says what is missing. */
    public static void isThere(boolean there, String reason) {
        if (REQUIRED) {
            assertTrue(there, reason);
        }
        assumeTrue(there, reason);
    }
}
