package io.srpt.disni.provider;

/**
 * The number that a work request has in verbs: it names the queue and its slot there, because a completion that failed says
 * nothing else for sure.
 *
 * <pre>
 *  63       48 47      32   31      30       0
 * | generation | queue    | receive | slot   |
 * </pre>
 */
final class WorkRequestNumber {
    private static final int QUEUE_SHIFT = 32;
    private static final long RECEIVE = 1L << 31;
    private static final int MASK = 0xFFFF;

    private WorkRequestNumber() {}

    /** The part that names the queue at {@code index} of its table, in its {@code generation}th use. */
    static long base(int index, int generation) {
        return (long) (generation & MASK) << 48 | (long) (index & MASK) << QUEUE_SHIFT;
    }

    static long ofSend(long base, int slot) {
        return base | slot;
    }

    static long ofReceive(long base, int slot) {
        return base | RECEIVE | slot;
    }

    static int index(long number) {
        return (int) (number >>> QUEUE_SHIFT) & MASK;
    }

    static boolean isReceive(long number) {
        return (number & RECEIVE) != 0;
    }

    static int slot(long number) {
        return (int) (number & RECEIVE - 1);
    }

    static boolean isOf(long number, long base) {
        return number >>> QUEUE_SHIFT == base >>> QUEUE_SHIFT;
    }
}
