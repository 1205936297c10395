package io.srpt.roce.cm;

/** Times that peers give as exponents, rounded as Linux does and bounded. */
final class CmTimes {
    private static final long MILLISECOND = 1_000_000L;
    /** 4.096 us times 2^8 is about a millisecond. */
    private static final int MILLISECOND_EXPONENT = 8;
    /** Longest time between two repetitions, and longest TimeWait: 8.2 s. */
    private static final int MAX_REPEAT_EXPONENT = 21;
    /** Longest time that MRA can ask for, which is what Linux asks for: 65.5 s. */
    static final int MAX_SERVICE_EXPONENT = 24;

    private CmTimes() {}

    /** Time between two repetitions, or TimeWait. At least a millisecond. */
    static long repeatNanos(int exponent) {
        return nanos(Math.min(exponent, MAX_REPEAT_EXPONENT));
    }

    /** Time that an MRA asks for. */
    static long serviceNanos(int exponent) {
        return nanos(Math.min(exponent, MAX_SERVICE_EXPONENT));
    }

    private static long nanos(int exponent) {
        return MILLISECOND << Math.max(0, exponent - MILLISECOND_EXPONENT);
    }
}
