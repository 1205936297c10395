package io.srpt.loop;

import io.srpt.counter.Counter;
import io.srpt.counter.Histogram;
import io.srpt.counter.RecentMaximum;

/** What an event loop does with its time. Written on the loop, read from anywhere. */
public final class LoopCounters {
    private static final int LARGEST_BATCH = 64;

    /** Nanoseconds of cycles that had work. */
    public final Counter busyNanos = new Counter();
    /** Nanoseconds of cycles that looked for work and found none: the time that {@link SpinTime} allows. */
    public final Counter pollingNanos = new Counter();
    /** Nanoseconds of waiting for events. */
    public final Counter idleNanos = new Counter();
    /** Polls of a completion queue that brought completions. */
    public final Counter nonemptyPolls = new Counter();
    /** Polls of a completion queue that brought none. */
    public final Counter emptyPolls = new Counter();
    /** Completions that one poll brought, where it brought any. */
    public final Histogram batchSizes = Histogram.ofPowersOfTwo(LARGEST_BATCH);
    /** Nanoseconds between two looks at the sockets. */
    public final RecentMaximum cycleNanos = new RecentMaximum();

    private long cycleStartNanos = System.nanoTime();

    LoopCounters() {}

    void onPoll(int completions) {
        if (completions == 0) {
            emptyPolls.increment();
        } else {
            nonemptyPolls.increment();
            batchSizes.record(completions);
        }
    }

    /** A cycle ends at {@code nowNanos}, in which there was something to do or not. */
    void onCycleEnd(long nowNanos, boolean worked) {
        long cycle = nowNanos - cycleStartNanos;
        (worked ? busyNanos : pollingNanos).add(cycle);
        cycleNanos.record(cycle, nowNanos);
        cycleStartNanos = nowNanos;
    }

    /** The wait that followed the last cycle ends at {@code nowNanos}. */
    void onWaitEnd(long nowNanos) {
        idleNanos.add(nowNanos - cycleStartNanos);
        cycleStartNanos = nowNanos;
    }
}
