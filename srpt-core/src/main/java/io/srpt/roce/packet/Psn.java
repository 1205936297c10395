package io.srpt.roce.packet;

/**
 * Arithmetic on packet sequence numbers: 24 bits, wrapping, ordered within a window of 2^23 (InfiniBand Architecture
 * Specification, volume 1, section 9.7.2). Serves message sequence numbers too. Arguments may carry rubbish above bit
 * 23 except where said; results never do. Stateless.
 */
public final class Psn {

    public static final int BITS = 24;
    public static final int MASK = (1 << BITS) - 1;

    private static final int UNUSED_BITS = Integer.SIZE - BITS;

    private Psn() {}

    /** {@code psn + count} modulo 2^24; {@code count} may be negative. */
    public static int add(int psn, int count) {
        return psn + count & MASK;
    }

    public static int next(int psn) {
        return psn + 1 & MASK;
    }

    public static int previous(int psn) {
        return psn - 1 & MASK;
    }

    /** How far {@code a} is ahead of {@code b}: -2^23 .. 2^23-1. */
    public static int diff(int a, int b) {
        return (a - b) << UNUSED_BITS >> UNUSED_BITS;
    }

    /** Negative, zero or positive as {@code a} comes before, equals or comes after {@code b}. Not transitive. */
    public static int compare(int a, int b) {
        return diff(a, b);
    }

    public static boolean before(int a, int b) {
        return diff(a, b) < 0;
    }

    public static boolean after(int a, int b) {
        return diff(a, b) > 0;
    }

    /** Whether {@code psn} is one of the {@code count} numbers from {@code first} on, {@code count} up to 2^23. */
    public static boolean inRange(int psn, int first, int count) {
        return (psn - first & MASK) < count;
    }
}
