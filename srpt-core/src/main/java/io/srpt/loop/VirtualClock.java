package io.srpt.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Virtual time shared by any number of {@link VirtualLoop}s, driven by hand: simulations run hours of protocol time in
 * milliseconds, and the same inputs give the same run.
 *
 * <p>Loops take turns in the order in which they were made. Time moves only in {@link #advance}, {@link #runUntil} and
 * {@link #runNextDeadline}, and stops at each deadline on the way.
 *
 * <p>Threads: the one that made it; {@link #nanoTime} from anywhere. What a listener, task or deadline throws reaches the
 * caller, so that a simulation fails where the fault is.
 */
public final class VirtualClock {
    private static final long DEFAULT_START_NANOS = 1_000_000_000L;
    /** Rounds without a pause after which a simulation counts as stuck. */
    private static final int MAX_ROUNDS = 10_000_000;

    private final Thread driver = Thread.currentThread();
    private final List<VirtualLoop> loops = new ArrayList<>();
    private volatile long nanos;
    private volatile boolean turnRunning;

    /** Starts at one second, so that a time of 0 is never a real one. */
    public VirtualClock() {
        this(DEFAULT_START_NANOS);
    }

    /** Starts at {@code startNanos}: close to {@link Long#MAX_VALUE} it shows who compares times without subtracting. */
    public VirtualClock(long startNanos) {
        nanos = startNanos;
    }

    /** Makes a loop that lives in this time. */
    public VirtualLoop newLoop(String name) {
        VirtualLoop loop = new VirtualLoop(name, this);
        loops.add(loop);
        return loop;
    }

    /** The time now in nanoseconds. Any thread. */
    public long nanoTime() {
        return nanos;
    }

    /** Lets all loops run, without moving the time, until none has anything to do. Returns how many things were done. */
    public long runUntilIdle() {
        long done = 0;
        int quietRounds = 0;
        // The end of a turn may flush work into another loop's completion queue: only a second quiet round is idle.
        for (int round = 0; quietRounds < 2; round++) {
            if (round == MAX_ROUNDS) {
                throw new IllegalStateException("Loops still busy after " + MAX_ROUNDS + " rounds at " + nanos + " ns");
            }
            int work = runRound();
            quietRounds = work == 0 ? quietRounds + 1 : 0;
            done += work;
        }
        return done;
    }

    /** Lets {@code duration} nanoseconds pass, stopping at each deadline on the way. */
    public void advance(long duration) {
        long end = nanos + duration;
        runUntilIdle();
        for (long wait = earliestNanos(); wait <= end - nanos; wait = earliestNanos()) {
            nanos += wait;
            runUntilIdle();
        }
        nanos = end;
    }

    /** Moves the time to the earliest deadline and runs; false, and nothing moves, if no deadline is armed. */
    public boolean runNextDeadline() {
        runUntilIdle();
        long wait = earliestNanos();
        if (wait == Long.MAX_VALUE) {
            return false;
        }
        nanos += wait;
        runUntilIdle();
        return true;
    }

    /**
     * Lets time pass until {@code condition} holds, at most {@code maxNanos}. The condition is looked at whenever the
     * loops are idle. Returns whether it holds.
     */
    public boolean runUntil(BooleanSupplier condition, long maxNanos) {
        long end = nanos + maxNanos;
        runUntilIdle();
        while (!condition.getAsBoolean()) {
            long wait = earliestNanos();
            if (wait > end - nanos) {
                nanos = end;
                return false;
            }
            nanos += wait;
            runUntilIdle();
        }
        return true;
    }

    /** Deadlines armed on all loops. */
    public int armedDeadlines() {
        int armed = 0;
        for (VirtualLoop loop : loops) {
            armed += loop.armedDeadlines();
        }
        return armed;
    }

    /** The driving thread is on every loop while it sets things up, and only on the running one during a turn. */
    boolean isDriverOutsideTurn() {
        return Thread.currentThread() == driver && !turnRunning;
    }

    boolean isDriver() {
        return Thread.currentThread() == driver;
    }

    private int runRound() {
        if (!isDriver() || turnRunning) {
            throw new IllegalStateException("Virtual time is driven by the thread that made it, from outside the loops");
        }
        int work = 0;
        turnRunning = true;
        try {
            for (int i = 0; i < loops.size(); i++) {
                work += loops.get(i).runTurn();
            }
        } finally {
            turnRunning = false;
        }
        return work;
    }

    private long earliestNanos() {
        long earliest = Long.MAX_VALUE;
        for (VirtualLoop loop : loops) {
            earliest = Math.min(earliest, loop.earliestNanos());
        }
        return earliest;
    }
}
