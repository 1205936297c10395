package io.srpt.scsi;

/**
 * What a command does; one implementation per command or per family, shared by all tasks and without state of its own.
 * Owner loop only; both methods must not throw on whatever the CDB holds.
 */
interface ScsiCommand {
    /**
     * Checks the CDB and says what will be transferred, or ends the task. A command that transfers nothing and waits for
     * nothing ends here.
     *
     * @return the phase for the target; {@link TaskPhase#DONE} after the task was ended by one of its methods
     */
    TaskPhase begin(ScsiTask task);

    /** Whether {@code unit} has this command at all; for those that not every disk can do. */
    default boolean offered(LogicalUnit unit) {
        return true;
    }

    /** Does the work; ends the task now, or lets the store's completion do so. */
    default void execute(ScsiTask task) {
        throw new IllegalStateException("this command ends when it begins");
    }

    /** Goes on after the store ended the operation that {@link #execute} started, and ended it well. */
    default void storeDone(ScsiTask task) {
        task.finishGood();
    }
}
