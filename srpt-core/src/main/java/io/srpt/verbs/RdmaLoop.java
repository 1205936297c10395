package io.srpt.verbs;

import io.srpt.time.Deadline;
import java.util.concurrent.Executor;

/**
 * The event loop that owns verbs objects: it polls their completion queues, runs their timers and takes work from other
 * threads. Real loops live in {@code io.srpt.loop}; tests drive one by hand in virtual time.
 *
 * <p>Threads: {@link #execute}, {@link #inEventLoop}, {@link #nanoTime} and {@link #name} from anywhere, the rest on the
 * loop only.
 */
public interface RdmaLoop extends Executor {
    /** A short name for logs and metrics, such as {@code srpt-loop-1}. */
    String name();

    /** Whether the caller runs on this loop. */
    boolean inEventLoop();

    /** The loop's monotonic clock in nanoseconds; virtual in simulations. Never the wall clock. */
    long nanoTime();

    /**
     * {@link #nanoTime()} as of when the loop began or went on with what it does now, for what is counted in milliseconds or
     * more: it costs no look at a clock. On the loop.
     */
    default long turnNanoTime() {
        return nanoTime();
    }

    /** Arms or moves a deadline to {@code atNanos} on {@link #nanoTime()}'s scale. */
    void schedule(Deadline deadline, long atNanos);

    /** Disarms a deadline; nothing happens if it is not armed. */
    void cancel(Deadline deadline);

    /**
     * Starts to poll {@code queue}: until empty, each turn; armed and polled once more before the loop sleeps. One that
     * {@linkplain CompletionQueue#announcesEntries announces its entries} is polled when it is {@link #ready} only.
     */
    void attach(CompletionQueue queue);

    /** Stops polling {@code queue}, even if it is {@link #ready}. */
    void detach(CompletionQueue queue);

    /**
     * {@code queue}, which announces its entries, has some: it is polled once, in this turn or before the loop sleeps. The queue
     * says so with the first entry, and at the end of a poll that has left some. Not polled from within.
     */
    void ready(CompletionQueue queue);

    /** Calls {@code listener} at the end of each turn, after the completion queues were polled. */
    void addTurnEndListener(TurnEndListener listener);

    /** Stops calling {@code listener}. */
    void removeTurnEndListener(TurnEndListener listener);

    /** Work that is done once a turn, such as flushing a batch of datagrams. */
    @FunctionalInterface
    interface TurnEndListener {
        /** The turn ends: no more completions wait. On the loop; must not block. */
        void onTurnEnd();
    }
}
