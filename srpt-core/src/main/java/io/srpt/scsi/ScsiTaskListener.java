package io.srpt.scsi;

/** Told by the device server how a task goes on. All calls come on the owner loop. */
public interface ScsiTaskListener {
    /**
     * The turn has come of a task that {@link DeviceServer#begin} left {@link TaskPhase#WAITING}: {@code phase} is what begin
     * would have returned else. Not called for a task that ended before.
     */
    void onTaskBegun(ScsiTask task, TaskPhase phase);

    /**
     * The task is finished: status, sense and residuals are set. Called exactly once for a task that began with another
     * phase than {@link TaskPhase#DONE} and was not aborted; maybe inline from {@link DeviceServer#execute}. A task management
     * function of another nexus ends a task here with TASK ABORTED, at any time after it began, even before it was
     * executed: its transfers may still be under way, and {@link ScsiTask#isStoreBusy()} tells whether the store still
     * uses its buffers.
     */
    void onTaskDone(ScsiTask task);

    /**
     * A task management function of the task's own nexus ended it: no status is due. Called instead of
     * {@link #onTaskDone}, from within the call of the function.
     */
    void onTaskAborted(ScsiTask task);

    /**
     * The store is through with the buffers of a task that was aborted while the store worked on it; only now may they
     * and the task be used again. Called once, after {@link DeviceServer#abort} returned true, or after a task was
     * ended by a task management function with {@link ScsiTask#isStoreBusy()} true.
     */
    void onStoreReleased(ScsiTask task);
}
