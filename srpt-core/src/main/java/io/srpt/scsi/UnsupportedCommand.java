package io.srpt.scsi;

/** Stands in where the operation code is not in the table. */
enum UnsupportedCommand implements ScsiCommand {
    INSTANCE;

    @Override
    public TaskPhase begin(ScsiTask task) {
        return task.checkCondition(Sense.INVALID_OPERATION_CODE);
    }
}
