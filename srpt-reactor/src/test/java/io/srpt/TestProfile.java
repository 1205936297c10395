package io.srpt;

/**
 * How often a test of repetition repeats: system property {@code srpt.test.profile}, {@code ci} (the default) or
 * {@code soak}.
 */
public final class TestProfile {
    private static final boolean SOAK = "soak".equals(System.getProperty("srpt.test.profile"));

    private TestProfile() {}

    /** {@code ci} or {@code soak}, as the profile is. */
    public static int count(int ci, int soak) {
        return SOAK ? soak : ci;
    }

    /** Whether the long profile is on. */
    public static boolean isSoak() {
        return SOAK;
    }
}
