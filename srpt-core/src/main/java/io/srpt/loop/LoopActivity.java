package io.srpt.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a loop does now and since when it has not turned, for the {@link StallWatchdog}. The loop pays one look at the clock
 * a turn.
 *
 * <p>Threads: the loop writes, the watchdog reads and leaves the name of what hangs.
 */
final class LoopActivity {
    /** What a loop can be kept busy by. */
    enum Kind {
        COMPLETION_LISTENER("completion listener"),
        DEADLINE("deadline"),
        TURN_END("turn-end listener"),
        SOCKET("socket"),
        TASK("task");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /** In place of a time: the loop does nothing. */
    static final long WAITING = 0;

    private static final VarHandle BUSY_SINCE;
    private static final VarHandle KIND;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BUSY_SINCE = lookup.findVarHandle(LoopActivity.class, "busySinceNanos", long.class);
            KIND = lookup.findVarHandle(LoopActivity.class, "kind", Kind.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the watchdog saw in the stall that began at {@code since}. */
    private record Suspect(long since, String name) {}

    private final String loop;
    private final long limitNanos;
    private final StallListener listener;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Suspect suspect;
    private long busySinceNanos;
    private Kind kind = Kind.TASK;

    /** {@code limitNanos} 0: nothing is a stall. */
    LoopActivity(String loop, long limitNanos, StallListener listener) {
        this.loop = loop;
        this.limitNanos = limitNanos;
        this.listener = listener;
    }

    // The loop.

    /** This thread is the loop's. */
    void start() {
        thread = Thread.currentThread();
    }

    /** The loop does something of {@code next} kind from now on. */
    void doing(Kind next) {
        KIND.setOpaque(this, next);
    }

    /** As {@link #doing}, when the loop may have waited until now. */
    void woken(Kind next) {
        doing(next);
        if (busySinceNanos == WAITING) {
            setBusySince(System.nanoTime());
        }
    }

    /** The loop turns. */
    void turn() {
        long now = System.nanoTime();
        end(now);
        setBusySince(now);
    }

    /** The loop is about to wait. */
    void waiting() {
        end(System.nanoTime());
        setBusySince(WAITING);
    }

    private void setBusySince(long nanos) {
        BUSY_SINCE.setOpaque(this, nanos);
    }

    private void end(long now) {
        long since = busySinceNanos;
        if (limitNanos != 0 && since != WAITING && now - since > limitNanos) {
            Suspect seen = suspect;
            String name = seen != null && seen.since == since ? seen.name : kind.label;
            listener.onStall(loop, name, now - since, true);
        }
    }

    // The watchdog.

    /** Since when the loop has not turned, {@link #WAITING} if it waits. The loop, too, may ask. */
    long busySince() {
        return (long) BUSY_SINCE.getOpaque(this);
    }

    /** Reports the stall that began at {@code since} if it goes on. */
    void reportIfStalled(long since, long now) {
        String name = describe();
        if (busySince() == since) {
            suspect = new Suspect(since, name);
            listener.onStall(loop, name, now - since, false);
        }
    }

    /** What hangs: the kind, and the innermost method of a program that is not the platform's. */
    private String describe() {
        Kind now = (Kind) KIND.getOpaque(this);
        Thread running = thread;
        if (running != null) {
            for (StackTraceElement frame : running.getStackTrace()) {
                String name = frame.getClassName();
                if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
                    return now.label + " in " + name + "." + frame.getMethodName();
                }
            }
        }
        return now.label;
    }
}
