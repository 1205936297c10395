package io.srpt.scsi;

import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a task asks the store of its unit for one operation after the other.
 *
 * <pre>
 *   read, write, … ──RangeLocks──▶ store ──onStoreDone──▶ command.storeDone, or its error
 *                      └ waits ──granted──▲               └▶ onStoreReleased, if the task has ended
 * </pre>
 *
 * <p>Owner loop only, but for {@link #onStoreDone}.
 */
final class StoreAccess extends RangeClaim implements StoreCompletion {
    /** Store operations that one turn of the loop may do for a task when the store completes inline. */
    private static final int INLINE_STEPS = 16;

    private static final Consumer<StoreCompletion> NO_CALL = done -> done.onStoreDone(StoreStatus.OK, 0);

    /** What is asked of the store. */
    private enum Operation {
        READ(RangeMode.READ),
        WRITE(RangeMode.WRITE),
        FLUSH(RangeMode.READ),
        /** What {@link #callReading} was given. */
        OTHER_READ(RangeMode.READ),
        /** What {@link #callWriting} was given. */
        OTHER_WRITE(RangeMode.WRITE);

        private final RangeMode mode;

        Operation(RangeMode mode) {
            this.mode = mode;
        }
    }

    private final ScsiTask task;
    private final Runnable resume = this::returned;

    private Operation operation = Operation.FLUSH;
    private long offset;
    private long length;
    private Consumer<StoreCompletion> call = NO_CALL;
    private boolean through;
    private boolean declared;
    private boolean cached;
    private boolean busy;
    private boolean inline;
    private boolean advancing;
    private @Nullable Thread caller;
    private StoreStatus status = StoreStatus.OK;
    private long errorOffset;

    StoreAccess(ScsiTask task) {
        this.task = task;
    }

    /** Drops what the last command left. */
    void reset() {
        call = NO_CALL;
        declared = false;
        claim(0, 0, RangeMode.READ);
    }

    /**
     * Says before the first operation which range the task works on, and how: it is claimed as a whole by that one and kept until
     * the task ends; without, each operation claims its own.
     */
    void range(long from, long length, RangeMode mode) {
        claim(from, length, mode);
        declared = true;
    }

    /** Whether the store works with the task's buffers. */
    boolean isBusy() {
        return busy;
    }

    void read(long from) {
        begin(Operation.READ, from, task.dataLength(), false);
    }

    void write(long from, boolean writeThrough) {
        begin(Operation.WRITE, from, task.dataLength(), writeThrough);
    }

    void flush() {
        begin(Operation.FLUSH, 0, 0, false);
    }

    /** Any other operation that reads {@code length} bytes at {@code from} for the command; ends as those above do. */
    void callReading(long from, long length, Consumer<StoreCompletion> what) {
        call = what;
        begin(Operation.OTHER_READ, from, length, false);
    }

    /** Any other operation that changes {@code length} bytes at {@code from}. */
    void callWriting(long from, long length, Consumer<StoreCompletion> what) {
        call = what;
        begin(Operation.OTHER_WRITE, from, length, false);
    }

    private void begin(Operation what, long from, long length, boolean writeThrough) {
        operation = what;
        offset = from;
        this.length = length;
        through = writeThrough;
        cached = what.mode == RangeMode.WRITE && task.unit().writeCacheEnabled();
        if (declared && isHeld()) {
            granted();
            return;
        }
        if (!declared) {
            claim(from, length, what.mode);
        }
        if (task.unit().locks().admit(this)) {
            granted();
        }
    }

    /** Asks the store for what {@link #begin} noted. */
    @Override
    void granted() {
        busy = true;
        inline = false;
        caller = Thread.currentThread();
        TaskBuffers data = task.buffers();
        switch (operation) {
            case READ -> task.unit().store().read(offset, data.segments(), data.count(), this);
            case WRITE -> task.unit().store().write(offset, data.segments(), data.count(), through, this);
            case FLUSH -> task.unit().store().flush(this);
            case OTHER_READ, OTHER_WRITE -> call.accept(this);
        }
        leaveStore();
    }

    /** A store that has completed inline is heard here: however many operations follow each other, the stack stays flat. */
    private void leaveStore() {
        caller = null;
        if (advancing) {
            return;
        }
        advancing = true;
        try {
            for (int steps = 0; inline; steps++) {
                inline = false;
                if (steps == INLINE_STEPS) {
                    task.server().executor().execute(resume);
                    return;
                }
                returned();
            }
        } finally {
            advancing = false;
        }
    }

    /** Any thread; the store's hand-over publishes the fields that the caller wrote. */
    @Override
    public void onStoreDone(StoreStatus result, long where) {
        status = result;
        errorOffset = where;
        if (Thread.currentThread() == caller) {
            inline = true;
        } else {
            task.server().executor().execute(resume);
        }
    }

    private void returned() {
        busy = false;
        LogicalUnit unit = task.unit(); // the task may be another command when this ends
        if (!task.isExecuting()) {
            unit.locks().release(this);
            task.listener().onStoreReleased(task);
            unit.onReleased();
            return;
        }
        if (!declared) {
            held(false);
        }
        if (operation.mode == RangeMode.WRITE && unit.threshold().isReachedBy(unit, length)) {
            task.server().announce(unit, null, UnitAttention.SOFT_THRESHOLD_REACHED);
        }
        if (status != StoreStatus.OK) {
            StoreErrors.finish(task, status, errorOffset);
        } else if (cached && !unit.writeCacheEnabled()) {
            flush(); // the write cache was switched off meanwhile: status GOOD now means durable
        } else {
            unit.notReady(false);
            task.command().storeDone(task);
        }
        unit.locks().wake();
    }

    /** The task has ended. */
    void onTaskEnded() {
        RangeLocks locks = task.unit().locks();
        if (busy && operation.mode == RangeMode.WRITE) {
            locks.endLate(this);
        } else {
            locks.end(this);
        }
    }
}
