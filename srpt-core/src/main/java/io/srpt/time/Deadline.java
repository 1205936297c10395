package io.srpt.time;

/**
 * Something that happens at a moment unless it is cancelled or moved before. An object is made once by its owner (a queue
 * pair, a connection) and armed as often as needed: arming allocates nothing.
 *
 * <p>Threads: the loop that owns the {@link DeadlineQueue} only.
 */
public abstract class Deadline {
    static final int NOT_QUEUED = -1;

    /** When it is due, on the loop's monotonic clock; meaningful while queued. */
    long atNanos;

    int heapIndex = NOT_QUEUED;

    /** Called once when the deadline is due; it is no longer armed then and may be armed again. */
    protected abstract void onDeadline();

    /** Whether it is armed. */
    public final boolean isArmed() {
        return heapIndex != NOT_QUEUED;
    }

    /** When it is due on the loop's monotonic clock, in nanoseconds; meaningful only while armed. */
    public final long atNanos() {
        return atNanos;
    }
}
