package io.srpt.target;

import io.srpt.scsi.Nexus;
import io.srpt.scsi.ScsiTask;
import io.srpt.scsi.TaskAttribute;
import io.srpt.srp.BufferFormat;
import io.srpt.srp.SrpCommand;

/** What an SRP_CMD means as a SCSI task. */
final class SrpTasks {
    private SrpTasks() {}

    /** Makes {@code task} the one that {@code command}, which was validated, asks for. */
    static void prepare(ScsiTask task, Nexus nexus, SrpCommand command) {
        boolean toInitiator = command.dataInFormat() != BufferFormat.NONE;
        long described = command.dataLength();
        task.prepare(
                nexus,
                command.lun(),
                attribute(command.taskAttribute()),
                command.buffer(),
                command.cdbOffset(),
                command.cdbLength(),
                toInitiator ? 0 : described,
                toInitiator ? described : 0);
    }

    private static TaskAttribute attribute(int code) {
        return switch (code) {
            case SrpCommand.ATTRIBUTE_SIMPLE -> TaskAttribute.SIMPLE;
            case SrpCommand.ATTRIBUTE_HEAD_OF_QUEUE -> TaskAttribute.HEAD_OF_QUEUE;
            case SrpCommand.ATTRIBUTE_ACA -> TaskAttribute.ACA;
            default -> TaskAttribute.ORDERED;
        };
    }
}
