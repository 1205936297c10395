package io.srpt.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a file descriptor open as long as anybody uses it, because its number may be somebody else's right after the close.
 *
 * <p>Whoever leaves last after {@link #close} closes. Any thread.
 */
final class CloseGate {
    /** Added to the number of those inside; {@link #LEFT} in its place once somebody has taken on to close. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final int LEFT = CLOSED / 2;
    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Runnable closer;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean done;

    /** @param closer runs once, when the gate is closed and empty */
    CloseGate(Runnable closer) {
        this.closer = closer;
    }

    /** Whether the caller may go on, and then must {@link #exit()}. */
    boolean enter() {
        if (inside.incrementAndGet() > 0) {
            return true;
        }
        exit();
        return false;
    }

    void exit() {
        if (inside.decrementAndGet() == CLOSED && inside.compareAndSet(CLOSED, LEFT)) {
            closer.run();
            done = true;
        }
    }

    boolean isClosed() {
        return inside.get() < 0;
    }

    /** Lets nobody in from now on; waits up to {@code nanos} for those inside. A second call does nothing. */
    void close(long nanos) {
        int before = inside.getAndUpdate(count -> count < 0 ? count : CLOSED + count + 1);
        if (before < 0) {
            return;
        }
        exit();
        long deadline = System.nanoTime() + nanos;
        while (!done && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
