package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * Commands about the unit's condition: TEST UNIT READY, REQUEST SENSE, SEND DIAGNOSTIC, START STOP UNIT (SPC-5 §6.47, §6.39,
 * §6.42; SBC-4 §5.31).
 */
final class StatusCommands {
    private StatusCommands() {}

    static void addTo(CommandTable table) {
        table.add("TEST UNIT READY", "00 00 00 00 00 04", new TestUnitReady())
                .addAlwaysServed("REQUEST SENSE", "03 01 00 00 ff 04", new RequestSense())
                .add("SEND DIAGNOSTIC", "1d e4 00 ff ff 04", new SendDiagnostic())
                .add("START STOP UNIT", "1b 01 00 00 f7 04", new StartStopUnit());
    }

    /**
     * GOOD without a look at the medium, so that a slow one does not keep hosts from finding out; but once the store has said
     * that its medium is not there, the first block is read until it is.
     */
    private static final class TestUnitReady implements ScsiCommand {
        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.unit().notReady() ? TaskPhase.READY : task.finishGood();
        }

        @Override
        public void execute(ScsiTask task) {
            RangeWork.begin(task, 0, task.unit().config().blockSize()).read(task);
        }
    }

    /**
     * Returns a pending unit attention, which it clears, else how far FORMAT UNIT or SANITIZE is, else that the medium is not
     * there, else NO SENSE; for a LUN without unit LOGICAL UNIT NOT SUPPORTED. Always with status GOOD.
     */
    private static final class RequestSense implements ScsiCommand {
        private static final int DESC = 0x01;

        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.wantDataIn(task.cdb().byteAt(4), SenseData.MAX_LENGTH);
        }

        @Override
        public void execute(ScsiTask task) {
            LogicalUnit unit = task.unitIfAny();
            Sense sense = Sense.LOGICAL_UNIT_NOT_SUPPORTED;
            int specific = SenseData.NOTHING_SPECIFIC;
            if (unit != null) {
                UnitAttention attention = task.nexus().pollAttention(unit);
                MediumOperation operation = unit.mediumOperation();
                sense = attention == null ? Sense.NO_SENSE : attention.sense();
                if (attention == null && operation != null) {
                    sense = operation.sense();
                    specific = operation.specific();
                } else if (attention == null && unit.notReady()) {
                    sense = Sense.LOGICAL_UNIT_NOT_READY;
                }
            }
            ByteBuffer data = task.server().scratch(SenseData.MAX_LENGTH);
            boolean descriptor = (task.cdb().byteAt(1) & DESC) != 0;
            task.finishWithData(data, SenseData.encode(data, 0, sense, descriptor, SenseData.NO_INFORMATION, specific));
        }
    }

    /**
     * The default self-test, which every disk has to offer: the first block can be read, or the status is its error. Other
     * self-tests and diagnostic pages do not exist.
     */
    private static final class SendDiagnostic implements ScsiCommand {
        private static final int SELF_TEST_CODE = 0xE0;
        private static final int SELFTEST = 0x04;

        @Override
        public TaskPhase begin(ScsiTask task) {
            int flags = task.cdb().byteAt(1);
            if ((flags & SELF_TEST_CODE) != 0) {
                return task.invalidField(1);
            }
            if (task.cdb().shortAt(3) != 0) {
                return task.invalidField(3);
            }
            return (flags & SELFTEST) != 0 ? TaskPhase.READY : task.finishGood();
        }

        @Override
        public void execute(ScsiTask task) {
            RangeWork.begin(task, 0, task.unit().config().blockSize()).read(task);
        }
    }

    /** There is no motor: start does nothing, stop flushes; the medium cannot be ejected, power conditions do not exist. */
    private static final class StartStopUnit implements ScsiCommand {
        private static final int POWER_CONDITION_SHIFT = 4;
        private static final int NO_FLUSH = 0x04;
        private static final int LOEJ = 0x02;
        private static final int START = 0x01;

        @Override
        public TaskPhase begin(ScsiTask task) {
            int flags = task.cdb().byteAt(4);
            if (flags >> POWER_CONDITION_SHIFT != 0 || (flags & LOEJ) != 0) {
                return task.invalidField(4);
            }
            return (flags & (START | NO_FLUSH)) != 0 ? task.finishGood() : TaskPhase.READY;
        }

        @Override
        public void execute(ScsiTask task) {
            task.store().flush();
        }
    }
}
