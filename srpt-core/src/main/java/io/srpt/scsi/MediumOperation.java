package io.srpt.scsi;

import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * FORMAT UNIT or SANITIZE on its way over the whole medium; kept by the unit while it runs, and afterwards if it failed.
 *
 * <pre>
 *  event                          KEEPING         WAITING   RUNNING                          FAILED    LEAVING
 *  what is begun is kept          WAITING         -         -                                -         -
 *  it cannot be kept              as before it    -         -                                -         FAILED
 *  last other task left the set   -               RUNNING   -                                -         -
 *  a part is done                 -               -         RUNNING; the last one: LEAVING   -         -
 *  store error                    -               -         FAILED                           -         -
 *  EXIT FAILURE MODE              -               -         -                                LEAVING   -
 *  that it is over is kept        -               -         -                                -         gone
 *  SANITIZE again                 -               -         -                                gone      -
 * </pre>
 *
 * <p>Meanwhile other commands are refused, but for those that ask about the unit. Task management does not stop it; the end of the
 * process does, after which it counts as failed where the unit has a {@link MediumStateStore}. Owner loop only, but for
 * {@link #onStoreDone}.
 */
final class MediumOperation implements StoreCompletion {
    private enum State {
        /** For its beginning to be kept. */
        KEEPING,
        /** For the end of the commands that were there before. */
        WAITING,
        /** For the store. */
        RUNNING,
        /** For SANITIZE or FORMAT UNIT. */
        FAILED,
        /** For its end to be kept. */
        LEAVING
    }

    /** Bytes that are deallocated at once; small enough for progress to be seen. */
    private static final long ZEROS_STEP = 256L << 20;

    private static final int BUSY_PAUSE_MILLIS = 5;

    private final DeviceServer server;
    private final LogicalUnit unit;
    private final MediumState medium;
    private final @Nullable ByteBuffer pattern;
    private final int passes;
    private final boolean invert;

    private State state = State.KEEPING;
    private @Nullable MediumOperation before;
    private boolean immediate;
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
            MediumState medium,
            @Nullable ByteBuffer pattern,
            int passes,
            boolean invert) {
        this.server = server;
        this.unit = unit;
        this.medium = medium;
        this.pattern = pattern;
        this.passes = passes;
        this.invert = invert;
        this.buffer = server.workBuffers().take();
    }

    /** Everything becomes zeros, and deallocated where the store can. */
    static MediumOperation erase(ScsiTask task, MediumState.Kind kind, boolean mayExit) {
        MediumState medium = new MediumState(kind, mayExit);
        return new MediumOperation(task.server(), task.unit(), medium, null, 1, false);
    }

    /**
     * Everything is overwritten.
     *
     * @param pattern the bytes of one block
     * @param invert whether every other pass writes the complement, so that the last one leaves the pattern
     */
    static MediumOperation overwrite(ScsiTask task, boolean mayExit, ByteBuffer pattern, int passes, boolean invert) {
        MediumState medium = new MediumState(MediumState.Kind.SANITIZE, mayExit);
        return new MediumOperation(task.server(), task.unit(), medium, pattern, passes, invert);
    }

    /** One that an earlier process did not bring to its end. */
    static MediumOperation interrupted(DeviceServer server, LogicalUnit unit, MediumState medium) {
        MediumOperation operation = new MediumOperation(server, unit, medium, null, 1, false);
        operation.state = State.FAILED;
        server.workBuffers().give(operation.buffer);
        return operation;
    }

    /**
     * Takes the unit; {@code task} gets its status when all is done, or now with {@code immediate}. Refused when another one
     * has taken the unit while this task's parameters were on their way.
     */
    void begin(ScsiTask task, boolean immediately) {
        MediumOperation other = unit.mediumOperation();
        if (other != null && !other.failed()) {
            server.workBuffers().give(buffer);
            other.refuse(task);
            return;
        }
        before = other;
        unit.mediumOperation(this);
        waiter = task;
        immediate = immediately;
        keep(medium, this::begun);
    }

    /** Keeps that it is under way, or with null that it is over; {@code then} is called on the loop. */
    private void keep(@Nullable MediumState what, Consumer<StoreStatus> then) {
        MediumStateStore store = unit.mediumStateStore();
        if (store == null) {
            then.accept(StoreStatus.OK);
            return;
        }
        store.keep(
                what,
                (status, offset) -> server.executor().execute(() -> {
                    if (status == StoreStatus.BUSY) {
                        later(() -> keep(what, then));
                    } else {
                        then.accept(status);
                    }
                }));
    }

    private void begun(StoreStatus status) {
        ScsiTask task = waiter;
        if (status != StoreStatus.OK) {
            server.workBuffers().give(buffer);
            unit.mediumOperation(before);
            if (task != null) {
                task.checkCondition(Sense.INTERNAL_TARGET_FAILURE);
            }
            return;
        }
        before = null;
        state = State.WAITING;
        if (immediate && task != null) {
            waiter = null;
            task.finishGood();
        }
        startWhenAlone(waiter);
    }

    /** EXIT FAILURE MODE: {@code task} gets its status when it is kept that the medium is as it should be. */
    void exit(ScsiTask task) {
        if (!failed()) {
            refuse(task); // begun meanwhile
            return;
        }
        state = State.LEAVING;
        waiter = task;
        keep(null, this::left);
    }

    private void left(StoreStatus status) {
        if (status == StoreStatus.OK) {
            unit.mediumOperation(null);
        } else {
            state = State.FAILED;
        }
        end();
    }

    boolean failed() {
        return state == State.FAILED;
    }

    /** Whether EXIT FAILURE MODE may end the failed state (AUSE of the command that failed). */
    boolean mayExit() {
        return medium.mayExit();
    }

    /** Whether only a SANITIZE without AUSE that succeeds ends this failed state (SBC-4 §5.30.1). */
    boolean isRestricted() {
        return failed() && isSanitize() && !medium.mayExit();
    }

    private boolean isSanitize() {
        return medium.kind() == MediumState.Kind.SANITIZE;
    }

    /** Whether a command is served all the same. */
    boolean allows(CommandDescriptor command) {
        return command.alwaysServed()
                || switch (command.operationCode()) {
                    case 0x1A, 0x5A, 0x25 -> true; // MODE SENSE, READ CAPACITY(10)
                    case 0x9E -> command.serviceAction() == 0x10; // READ CAPACITY(16)
                    case 0xA3 -> true; // the reports
                    case 0x48 -> state == State.FAILED; // SANITIZE
                    case 0x04 -> failed() && !isSanitize(); // FORMAT UNIT is no way out of SANITIZE
                    default -> false;
                };
    }

    /** Ends a command that is not served. */
    TaskPhase refuse(ScsiTask task) {
        return task.checkCondition(sense(), SenseData.NO_INFORMATION, specific());
    }

    /** What REQUEST SENSE returns, too. */
    Sense sense() {
        return state == State.FAILED ? medium.kind().failed() : medium.kind().inProgress();
    }

    /** The progress indication. */
    int specific() {
        if (state == State.FAILED) {
            return SenseData.NOTHING_SPECIFIC;
        }
        double size = unit.store().sizeBytes();
        double done = Math.min(1, (pass + at / size) / passes);
        return SenseData.progress((int) (done * 0xFFFF));
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
            later(this::next);
        } else if (result != StoreStatus.OK) {
            server.workBuffers().give(buffer);
            state = State.FAILED;
            end();
        } else if (flushing) {
            server.workBuffers().give(buffer);
            state = State.LEAVING;
            keep(null, this::left);
        } else {
            at += step;
            next();
        }
    }

    private void later(Runnable again) {
        CompletableFuture.delayedExecutor(BUSY_PAUSE_MILLIS, TimeUnit.MILLISECONDS, server.executor())
                .execute(again);
    }

    private void end() {
        ScsiTask task = waiter;
        waiter = null;
        if (task == null) {
            return;
        }
        if (state == State.FAILED) {
            task.checkCondition(medium.kind().failed());
        } else {
            task.finishGood();
        }
    }
}
