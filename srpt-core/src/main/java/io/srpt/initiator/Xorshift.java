package io.srpt.initiator;

/** Marsaglia's xorshift64* generator: fast, without allocation, and the same numbers for the same seed. */
final class Xorshift {
    private static final long MULTIPLIER = 0x2545_F491_4F6C_DD1DL;
    private static final long SEED_OF_ZERO = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    Xorshift(long seed) {
        state = seed == 0 ? SEED_OF_ZERO : seed;
    }

    long next() {
        state ^= state >>> 12;
        state ^= state << 25;
        state ^= state >>> 27;
        return state * MULTIPLIER;
    }

    /** A number from 0 to {@code bound} - 1. */
    long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }
}
