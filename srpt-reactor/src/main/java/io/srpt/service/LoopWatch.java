package io.srpt.service;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether all event loops turn: asks each of them to run a task, and looks at the next tick whether all have. Only
 * then is {@code whenAllTurned} called; a loop that hangs silences it until the loop goes on.
 *
 * <p>Threads: any; {@code whenAllTurned} is called on the executor that it is started with.
 */
final class LoopWatch {
    private final List<? extends Executor> loops;
    private final Runnable whenAllTurned;
    private final long limitNanos;
    private final AtomicInteger waitingFor = new AtomicInteger();
    private volatile long lastTurnNanos = System.nanoTime();

    /** {@code limit} is how long loops may hang before {@link #problem()} says so. */
    LoopWatch(List<? extends Executor> loops, Duration limit, Runnable whenAllTurned) {
        this.loops = List.copyOf(loops);
        this.limitNanos = limit.toNanos();
        this.whenAllTurned = whenAllTurned;
        ask();
    }

    /** Ticks every {@code period} from now on, until the executor is shut down. */
    void start(ScheduledExecutorService executor, Duration period) {
        executor.scheduleWithFixedDelay(this::tick, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Looks whether all loops have turned since the last tick that they answered, and asks them again. */
    void tick() {
        if (waitingFor.get() == 0) {
            lastTurnNanos = System.nanoTime();
            whenAllTurned.run();
            ask();
        }
    }

    private void ask() {
        waitingFor.set(loops.size());
        for (Executor loop : loops) {
            loop.execute(waitingFor::decrementAndGet);
        }
    }

    /** Why the process does not live, null while all loops turn. */
    @Nullable String problem() {
        long since = System.nanoTime() - lastTurnNanos;
        return since < limitNanos ? null : "an event loop hangs for " + TimeUnit.NANOSECONDS.toSeconds(since) + " s";
    }
}
