package io.srpt.initiator;

/**
 * The request limit of SRP (SRP r16a §4.3): how many requests the target is ready to take. Every request costs one,
 * every message of the target brings a signed delta. The last credits are kept for task management, so that a command
 * that hangs can always be aborted.
 *
 * <p>Threads: the session's loop.
 */
final class CreditWindow {
    private final int reserved;
    private int available;
    private int highest;

    /** With {@code reserved} credits that commands leave alone. */
    CreditWindow(int reserved) {
        this.reserved = reserved;
    }

    /** Adds what a message of the target granted. */
    void grant(int delta) {
        available += delta;
        highest = Math.max(highest, available);
    }

    /**
     * Takes a credit for a command. A target that never grants more than the reserve would starve all commands, so that
     * such a window gives up its reserve.
     */
    boolean tryTakeForCommand() {
        int floor = highest > reserved ? reserved : 0;
        return take(floor);
    }

    /** Takes a credit for task management. */
    boolean tryTakeForTaskManagement() {
        return take(0);
    }

    /** Gives one back that was taken for a request which could not be posted. */
    void giveBack() {
        available++;
    }

    int available() {
        return available;
    }

    private boolean take(int floor) {
        if (available <= floor) {
            return false;
        }
        available--;
        return true;
    }
}
