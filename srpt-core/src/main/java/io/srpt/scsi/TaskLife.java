package io.srpt.scsi;

/**
 * Where a task is between its preparation and its end. Owner loop only.
 *
 * <pre>
 *  event                    IDLE      BEGINNING  DORMANT    BEGUN      EXECUTING            DONE / ABORTED
 *  prepare                  IDLE      -          -          -          -                    IDLE, unless the store is busy
 *  DeviceServer.begin       BEGINNING -          -          -          -                    -
 *   older tasks come first            DORMANT
 *   command wants more                BEGUN
 *   command ended it                  DONE
 *  its turn has come        -         -          BEGINNING  -          -                    -
 *  DeviceServer.execute     -         -          -          -          EXECUTING            ignored
 *  store completes          -         -          -          -          goes on, or DONE     onStoreReleased
 *  abort                    -         -          ABORTED    ABORTED    ABORTED              unchanged
 *  other's task management  -         -          DONE (TASK ABORTED), or ABORTED            unchanged
 * </pre>
 */
final class TaskLife {
    enum State {
        /** Waits for {@link DeviceServer#begin}. */
        IDLE,
        /** Inside {@link DeviceServer#begin}. */
        BEGINNING,
        /** Waits for its turn in the task set. */
        DORMANT,
        /** Waits for the target to bring data or buffers and call {@link DeviceServer#execute}. */
        BEGUN,
        /** Its command works, or waits for the store. */
        EXECUTING,
        /** Status is set. */
        DONE,
        /** Ended without status. */
        ABORTED
    }

    private State state = State.IDLE;

    /** Whether a new command may take its place. */
    boolean isOver() {
        return state == State.IDLE || state == State.DONE || state == State.ABORTED;
    }

    /** Whether the task can still be aborted. */
    boolean isActive() {
        return state == State.DORMANT || state == State.BEGUN || state == State.EXECUTING;
    }

    boolean isBeginning() {
        return state == State.BEGINNING;
    }

    boolean isExecuting() {
        return state == State.EXECUTING;
    }

    void prepare() {
        assert isOver() : state;
        state = State.IDLE;
    }

    void begin() {
        if (state != State.IDLE && state != State.DORMANT) {
            throw new IllegalStateException("the task was not prepared: " + state);
        }
        state = State.BEGINNING;
    }

    TaskPhase leaveBegin(TaskPhase phase) {
        assert (state == State.DONE) == (phase == TaskPhase.DONE) : state + " with " + phase;
        if (state == State.BEGINNING) {
            state = phase == TaskPhase.WAITING ? State.DORMANT : State.BEGUN;
        }
        return phase;
    }

    /** False when the task ended meanwhile and there is nothing to execute. */
    boolean execute() {
        if (state == State.DONE || state == State.ABORTED) {
            return false;
        }
        if (state != State.BEGUN) {
            throw new IllegalStateException("not ready to execute: " + state);
        }
        state = State.EXECUTING;
        return true;
    }

    void finish() {
        state = State.DONE;
    }

    void abort() {
        state = State.ABORTED;
    }

    @Override
    public String toString() {
        return state.toString();
    }
}
