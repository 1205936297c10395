package io.srpt.scsi;

import org.jspecify.annotations.Nullable;

/**
 * EXTENDED COPY(LID1) (SPC-4 §6.3): copies between logical units that the nexus sees. The status comes when all is copied, or
 * with the first part that could not be.
 */
final class ExtendedCopyCommand implements ScsiCommand {
    static final int OPERATION_CODE = 0x83;
    static final int SERVICE_ACTION = 0x00;

    static void addTo(CommandTable table) {
        table.addServiceAction(
                "EXTENDED COPY(LID1)", "83 00 00 00 00 00 00 00 00 00 ff ff ff ff 00 04", new ExtendedCopyCommand());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        long length = task.cdb().intAt(10);
        if (length == 0) {
            return task.finishGood();
        }
        boolean fits = length <= CopyParameters.HEADER + CopyParameters.MAX_DESCRIPTORS_LENGTH;
        return fits && length <= task.dataOutLength()
                ? task.wantDataOut(length)
                : task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR);
    }

    @Override
    public void execute(ScsiTask task) {
        CopyParameters parameters = new CopyParameters(task.parameterList(), task.server(), task.nexus());
        Sense wrong = wrong(task, parameters);
        if (wrong != null) {
            task.checkCondition(wrong);
            return;
        }
        CopyStatus status = new CopyStatus(parameters.listId());
        if (parameters.identified()) {
            task.nexus().copies().put(status);
        }
        new CopyWork(task, parameters.segments(), status).begin();
    }

    private static @Nullable Sense wrong(ScsiTask task, CopyParameters parameters) {
        Sense wrong = parameters.parse();
        if (wrong != null) {
            return wrong;
        }
        CopyStatus same = parameters.identified() ? task.nexus().copies().find(parameters.listId()) : null;
        return same != null && !same.ended() ? Sense.OPERATION_IN_PROGRESS : null;
    }
}
