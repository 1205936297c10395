package io.srpt.loop;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A thread that looks at the loops now and then, and reports each stall once while it lasts. */
final class StallWatchdog implements Runnable {
    private final List<RdmaEventLoop> loops;
    private final long limitNanos;
    private final long[] reported;
    private final Thread thread;
    private volatile boolean stopped;

    StallWatchdog(String name, List<RdmaEventLoop> loops, long limitNanos) {
        this.loops = loops;
        this.limitNanos = limitNanos;
        this.reported = new long[loops.size()];
        thread = Thread.ofPlatform().daemon().name(name).start(this);
    }

    @Override
    public void run() {
        while (!stopped) {
            LockSupport.parkNanos(this, limitNanos / 2);
            long now = System.nanoTime();
            for (int i = 0; i < reported.length; i++) {
                look(i, loops.get(i).activity(), now);
            }
        }
    }

    private void look(int index, LoopActivity activity, long now) {
        long since = activity.busySince();
        if (since != 0 && since != reported[index] && now - since > limitNanos) {
            reported[index] = since;
            activity.reportIfStalled(since, now);
        }
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }
}
