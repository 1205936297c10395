package io.srpt.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A 64-bit counter with one writer and any number of readers.
 *
 * <p>Threads: {@link #increment()}, {@link #add(long)} and {@link #decrement()} belong to the one thread that owns the
 * counted object; {@link #get()} may be called from any thread and sees a value that was true a moment ago. No fence and
 * no locked instruction is paid on the writer's side.
 */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // accessed through VALUE
    private long value;

    /** Adds one. Owner thread only. */
    public void increment() {
        add(1);
    }

    /** Subtracts one, for gauges such as objects in use. Owner thread only. */
    public void decrement() {
        add(-1);
    }

    /** Adds {@code delta}, which may be negative. Owner thread only. */
    public void add(long delta) {
        VALUE.setOpaque(this, (long) VALUE.get(this) + delta);
    }

    /** The current value. Any thread. */
    public long get() {
        return (long) VALUE.getOpaque(this);
    }

    @Override
    public String toString() {
        return Long.toString(get());
    }
}
