package io.srpt.scsi;

import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * FORMAT UNIT or SANITIZE on its way over the whole medium; kept by the unit while it runs, and afterwards if it failed.
 *
 * <pre>
 *  event                          WAITING     RUNNING                        FAILED
 *  last other task left the set   RUNNING     -                              -
 *  a part is done                 -           RUNNING; the last one: gone    -
 *  store error                    -           FAILED                         -
 *  SANITIZE again, or its exit    -           -                              gone
 * </pre>
 *
 * <p>Meanwhile other commands are refused, but for those that ask about the unit. Task management does not stop it. Owner
 * loop only, but for {@link #onStoreDone}.
 */
final class MediumOperation implements StoreCompletion {
    /** What the whole medium becomes. */
    enum Kind {
        FORMAT(Sense.FORMAT_IN_PROGRESS, Sense.FORMAT_COMMAND_FAILED),
        SANITIZE(Sense.SANITIZE_IN_PROGRESS, Sense.SANITIZE_COMMAND_FAILED);

        private final Sense inProgress;
        private final Sense failed;

        Kind(Sense inProgress, Sense failed) {
            this.inProgress = inProgress;
            this.failed = failed;
        }
    }

    private enum State {
        /** For the end of the commands that were there before. */
        WAITING,
        /** For the store. */
        RUNNING,
        /** For SANITIZE or FORMAT UNIT. */
        FAILED
    }

    /** Bytes that are deallocated at once; small enough for progress to be seen. */
    private static final long ZEROS_STEP = 256L << 20;

    private static final int BUSY_PAUSE_MILLIS = 5;

    private final DeviceServer server;
    private final LogicalUnit unit;
    private final Kind kind;
    private final boolean mayExit;
    private final @Nullable ByteBuffer pattern;
    private final int passes;
    private final boolean invert;

    private State state = State.WAITING;
    private @Nullable ScsiTask waiter;
    private int pass;
    private long at;
    private long step;
    private boolean flushing;
    private volatile StoreStatus result = StoreStatus.OK;
    private final ByteBuffer buffer;

    private MediumOperation(
            DeviceServer server,
            LogicalUnit unit,
            Kind kind,
            boolean mayExit,
            @Nullable ByteBuffer pattern,
            int passes,
            boolean invert) {
        this.server = server;
        this.unit = unit;
        this.kind = kind;
        this.mayExit = mayExit;
        this.pattern = pattern;
        this.passes = passes;
        this.invert = invert;
        this.buffer = server.workBuffers().take();
    }

    /** Everything becomes zeros, and deallocated where the store can. */
    static MediumOperation erase(ScsiTask task, Kind kind, boolean mayExit) {
        return new MediumOperation(task.server(), task.unit(), kind, mayExit, null, 1, false);
    }

    /**
     * Everything is overwritten.
     *
     * @param pattern the bytes of one block
     * @param invert whether every other pass writes the complement, so that the last one leaves the pattern
     */
    static MediumOperation overwrite(ScsiTask task, boolean mayExit, ByteBuffer pattern, int passes, boolean invert) {
        return new MediumOperation(task.server(), task.unit(), Kind.SANITIZE, mayExit, pattern, passes, invert);
    }

    /**
     * Takes the unit; {@code task} gets its status when all is done, or now with {@code immediate}. Refused when another one
     * has taken the unit while this task's parameters were on their way.
     */
    void begin(ScsiTask task, boolean immediate) {
        MediumOperation other = unit.mediumOperation();
        if (other != null && !other.failed()) {
            server.workBuffers().give(buffer);
            other.refuse(task);
            return;
        }
        unit.mediumOperation(this);
        if (immediate) {
            task.finishGood();
        } else {
            waiter = task;
            startWhenAlone(task);
        }
    }

    boolean failed() {
        return state == State.FAILED;
    }

    /** Whether EXIT FAILURE MODE may end the failed state (AUSE of the command that failed). */
    boolean mayExit() {
        return mayExit;
    }

    /** Whether only a SANITIZE without AUSE that succeeds ends this failed state (SBC-4 §5.30.1). */
    boolean isRestricted() {
        return failed() && kind == Kind.SANITIZE && !mayExit;
    }

    /** Whether a command is served all the same. */
    boolean allows(CommandDescriptor command) {
        return command.alwaysServed()
                || switch (command.operationCode()) {
                    case 0x1A, 0x5A, 0x25 -> true; // MODE SENSE, READ CAPACITY(10)
                    case 0x9E -> command.serviceAction() == 0x10; // READ CAPACITY(16)
                    case 0xA3 -> true; // the reports
                    case 0x48 -> state == State.FAILED; // SANITIZE
                    case 0x04 -> state == State.FAILED && kind == Kind.FORMAT; // FORMAT UNIT is no way out of SANITIZE
                    default -> false;
                };
    }

    /** Ends a command that is not served. */
    TaskPhase refuse(ScsiTask task) {
        return task.checkCondition(sense(), SenseData.NO_INFORMATION, specific());
    }

    /** What REQUEST SENSE returns, too. */
    Sense sense() {
        return state == State.FAILED ? kind.failed : kind.inProgress;
    }

    /** The progress indication. */
    int specific() {
        if (state == State.FAILED) {
            return SenseData.NOTHING_SPECIFIC;
        }
        double size = unit.store().sizeBytes();
        return SenseData.progress((int) ((pass + at / size) / passes * 0xFFFF));
    }

    /** A task has left the unit's set. */
    void taskLeft(ScsiTask task) {
        if (task == waiter) {
            waiter = null; // ended by task management: nobody waits any more
        }
        startWhenAlone(waiter);
    }

    /** The store is through with a write that was ended before. */
    void lateWriteEnded() {
        startWhenAlone(waiter);
    }

    private void startWhenAlone(@Nullable ScsiTask own) {
        if (state == State.WAITING && unit.hasNoTaskBut(own)) {
            state = State.RUNNING;
            next();
        }
    }

    private void next() {
        long left = unit.store().sizeBytes() - at;
        if (left == 0 && ++pass < passes) {
            at = 0;
            left = unit.store().sizeBytes();
        }
        if (left == 0) {
            flushing = true;
            unit.store().flush(this);
        } else if (pattern == null) {
            step = Math.min(left, ZEROS_STEP);
            unit.store().writeZeroes(at, step, unit.thin(), false, this);
        } else {
            if (at == 0) {
                fill(pattern);
            }
            step = Math.min(left, buffer.capacity());
            buffer.clear().limit((int) step);
            unit.store().write(at, new ByteBuffer[] {buffer}, 1, false, this);
        }
    }

    private void fill(ByteBuffer block) {
        boolean complement = invert && (passes - 1 - pass & 1) == 1;
        for (int i = 0; i < buffer.capacity(); i++) {
            byte value = block.get(i % block.capacity());
            buffer.put(i, complement ? (byte) ~value : value);
        }
    }

    /** Any thread; always goes on in a later turn of the loop, so that others get theirs. */
    @Override
    public void onStoreDone(StoreStatus status, long errorOffset) {
        result = status;
        server.executor().execute(this::partDone);
    }

    private void partDone() {
        if (result == StoreStatus.BUSY) {
            CompletableFuture.delayedExecutor(BUSY_PAUSE_MILLIS, TimeUnit.MILLISECONDS, server.executor())
                    .execute(this::next);
        } else if (result != StoreStatus.OK) {
            state = State.FAILED;
            end();
        } else if (flushing) {
            unit.mediumOperation(null);
            end();
        } else {
            at += step;
            next();
        }
    }

    private void end() {
        server.workBuffers().give(buffer);
        ScsiTask task = waiter;
        waiter = null;
        if (task == null) {
            return;
        }
        if (state == State.FAILED) {
            task.checkCondition(kind.failed);
        } else {
            task.finishGood();
        }
    }
}
