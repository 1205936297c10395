package io.srpt.counter;

import java.util.concurrent.TimeUnit;

/**
 * The largest value of the last minute or two, with one writer and any number of readers: a spike stays visible for at
 * least one minute, however often one looks, and then goes away.
 *
 * <p>Threads: {@link #record} belongs to the one thread that owns the counted object; {@link #get} to any.
 */
public final class RecentMaximum {
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private volatile Window current = new Window(0, 0, 0);

    private record Window(long number, long maximum, long before) {}

    /** Takes {@code value} at {@code nowNanos} of a monotonic clock. Owner thread only. Allocates for a new maximum only. */
    public void record(long value, long nowNanos) {
        Window window = current;
        long number = Math.floorDiv(nowNanos, WINDOW_NANOS);
        if (number == window.number) {
            if (value > window.maximum) {
                current = new Window(number, value, window.before);
            }
        } else {
            current = new Window(number, value, number == window.number + 1 ? window.maximum : 0);
        }
    }

    /** The largest value at {@code nowNanos} of the same clock. */
    public long get(long nowNanos) {
        Window window = current;
        long age = Math.floorDiv(nowNanos, WINDOW_NANOS) - window.number;
        if (age <= 0) {
            return Math.max(window.maximum, window.before);
        }
        return age == 1 ? window.maximum : 0;
    }
}
