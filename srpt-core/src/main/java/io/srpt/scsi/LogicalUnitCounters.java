package io.srpt.scsi;

import io.srpt.counter.Counter;
import io.srpt.counter.CounterTable;
import java.util.Arrays;

/** What one logical unit has done. Written on the owner loop, read from any thread. */
public final class LogicalUnitCounters {
    /** Commands that reached the unit. */
    public final Counter commands = new Counter();
    /** READ commands that ended GOOD. */
    public final Counter reads = new Counter();
    /** Bytes that they returned. */
    public final Counter readBytes = new Counter();
    /** WRITE commands that ended GOOD. */
    public final Counter writes = new Counter();
    /** Bytes that they wrote. */
    public final Counter writtenBytes = new Counter();
    /** Flushes that ended well. */
    public final Counter flushes = new Counter();
    /** Commands that ended with CHECK CONDITION. */
    public final Counter checkConditions = new Counter();
    /** Commands that ended with BUSY or TASK SET FULL. */
    public final Counter busy = new Counter();
    /** Commands that were aborted, by the target or by task management. */
    public final Counter aborts = new Counter();
    /** Operations that the store ended with an error. */
    public final Counter storeErrors = new Counter();
    /** Times that a command waited for another one of the same blocks: one that is alone there, or a late write. */
    public final Counter heldBack = new Counter();
    /** Logical unit resets. */
    public final Counter resets = new Counter();
    /** Commands in the task set now. */
    public final Counter activeCommands = new Counter();

    private final CounterTable<OperationKind, ScsiStatus> ended =
            new CounterTable<>(OperationKind.class, ScsiStatus.class);
    private final Counter[] aborted = new Counter[OperationKind.values().length];
    private final Counter[] nanos = new Counter[OperationKind.values().length];

    /** Counters of a unit, or of what has none. */
    LogicalUnitCounters() {
        Arrays.setAll(aborted, kind -> new Counter());
        Arrays.setAll(nanos, kind -> new Counter());
    }

    /** Commands of a kind that ended with a status. */
    public Counter ended(OperationKind kind, ScsiStatus status) {
        return ended.get(kind, status);
    }

    /** Commands of a kind that ended without status. */
    public Counter aborted(OperationKind kind) {
        return aborted[kind.ordinal()];
    }

    /** Nanoseconds that commands of a kind took in all, from the arrival of the unit until the response is posted. */
    public Counter nanos(OperationKind kind) {
        return nanos[kind.ordinal()];
    }
}
