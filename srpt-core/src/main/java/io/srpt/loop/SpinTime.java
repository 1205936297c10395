package io.srpt.loop;

import java.util.concurrent.TimeUnit;

/**
 * How long an idle loop polls before it sleeps: a given time, or as long as that pays.
 *
 * <p>To sleep and be woken costs a processor tens of microseconds, and the one who waits for an answer as much again. So a
 * loop polls when its last pauses were shorter than {@link #LONGEST_NANOS} on average, and sleeps at once when they were
 * longer: one that is idle does not poll, and a single long pause does not end a series of short ones.
 *
 * <p>Threads: the loop.
 */
final class SpinTime {
    /** The longest pause that is polled through. */
    static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** A single pause counts for no more than this. */
    private static final long MOST_NANOS = 8 * LONGEST_NANOS;

    private static final int WEIGHT = 8;

    private final boolean adaptive;
    private long spinNanos;
    private long averageNanos = MOST_NANOS;

    private SpinTime(boolean adaptive, long spinNanos) {
        this.adaptive = adaptive;
        this.spinNanos = spinNanos;
    }

    /** Always {@code nanos}. */
    static SpinTime of(long nanos) {
        return new SpinTime(false, nanos);
    }

    /** As pauses have it. */
    static SpinTime adaptive() {
        return new SpinTime(true, 0);
    }

    /** A pause in the loop's work took {@code nanos}. */
    void onPause(long nanos) {
        if (adaptive) {
            averageNanos += (Math.min(nanos, MOST_NANOS) - averageNanos) / WEIGHT;
            spinNanos = averageNanos <= LONGEST_NANOS ? LONGEST_NANOS : 0;
        }
    }

    /** Nanoseconds to poll from the end of the work on. */
    long nanos() {
        return spinNanos;
    }
}
