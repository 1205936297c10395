package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * Small commands that disks are expected to know: SEEK, REZERO UNIT, PRE-FETCH, PREVENT ALLOW MEDIUM REMOVAL, READ DEFECT
 * DATA (SBC-4 §5), REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS and REPORT TIMESTAMP (SPC-5 §6.37, §6.40).
 */
final class MaintenanceCommands {
    private MaintenanceCommands() {}

    static void addTo(CommandTable table) {
        table.add("REZERO UNIT", "01 00 00 00 00 04", ScsiTask::finishGood)
                .add(
                        "SEEK(6)",
                        "0b 1f ff ff 00 04",
                        task -> seek(task, task.cdb().intAt(0) & 0x1F_FFFF))
                .add(
                        "SEEK(10)",
                        "2b 00 ff ff ff ff 00 00 00 04",
                        task -> seek(task, task.cdb().intAt(2)))
                .add("PRE-FETCH(10)", "34 02 ff ff ff ff 00 ff ff 04", new Prefetch(true))
                .add("PRE-FETCH(16)", "90 02 ff ff ff ff ff ff ff ff ff ff ff ff 00 04", new Prefetch(false))
                .add("PREVENT ALLOW MEDIUM REMOVAL", "1e 00 00 00 03 04", MaintenanceCommands::preventAllow)
                .add("READ DEFECT DATA(10)", "37 00 1f 00 00 00 00 ff ff 04", new ReadDefectData(true))
                .add("READ DEFECT DATA(12)", "b7 1f 00 00 00 00 ff ff ff ff 00 04", new ReadDefectData(false))
                .addServiceAction(
                        "REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS",
                        "a3 0d 80 00 00 00 ff ff ff ff 00 04",
                        new ReportTaskManagement())
                .addServiceAction("REPORT TIMESTAMP", "a3 0f 00 00 00 00 ff ff ff ff 00 04", new ReportTimestamp());
    }

    private static TaskPhase seek(ScsiTask task, long lba) {
        return task.unit().contains(lba, 1) ? task.finishGood() : task.checkCondition(Sense.LBA_OUT_OF_RANGE);
    }

    /** The medium stays in anyway. */
    private static TaskPhase preventAllow(ScsiTask task) {
        return (task.cdb().byteAt(4) & 3) > 1 ? task.invalidField(4) : task.finishGood();
    }

    /** Nothing is fetched, since there is no cache to fetch into; GOOD says that not all blocks are in one. */
    private record Prefetch(boolean ten) implements ScsiCommand {
        @Override
        public TaskPhase begin(ScsiTask task) {
            long lba = ten ? task.cdb().intAt(2) : task.cdb().longAt(2);
            long blocks = ten ? task.cdb().shortAt(7) : task.cdb().intAt(10);
            return task.unit().contains(lba, blocks) ? task.finishGood() : task.checkCondition(Sense.LBA_OUT_OF_RANGE);
        }
    }

    /** An empty list of either kind, in the format that was asked for. */
    private record ReadDefectData(boolean ten) implements ScsiCommand {
        private static final int KIND_AND_FORMAT = 0x1F;

        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.wantDataIn(ten ? task.cdb().shortAt(7) : task.cdb().intAt(6), header());
        }

        private int header() {
            return ten ? 4 : 8;
        }

        @Override
        public void execute(ScsiTask task) {
            ByteBuffer data = task.server().scratch(header());
            data.put(1, (byte) (task.cdb().byteAt(ten ? 2 : 1) & KIND_AND_FORMAT));
            task.finishWithData(data, header());
        }
    }

    /** {@code functions | functions | 0 | additional length}, with REPD then how long they take: not said. */
    private static final class ReportTaskManagement implements ScsiCommand {
        private static final int REPD = 0x80;
        private static final int EXTENDED_LENGTH = 16;
        private static final int ABORT_TASK = 0x80;
        private static final int ABORT_TASK_SET = 0x40;
        private static final int CLEAR_TASK_SET = 0x10;
        private static final int LOGICAL_UNIT_RESET = 0x08;

        @Override
        public TaskPhase begin(ScsiTask task) {
            long allocation = task.cdb().intAt(6);
            return allocation < 4 ? task.invalidField(6) : task.wantDataIn(allocation, EXTENDED_LENGTH);
        }

        @Override
        public void execute(ScsiTask task) {
            boolean extended = (task.cdb().byteAt(2) & REPD) != 0;
            ByteBuffer data = task.server().scratch(EXTENDED_LENGTH);
            data.put(0, (byte) (ABORT_TASK | ABORT_TASK_SET | CLEAR_TASK_SET | LOGICAL_UNIT_RESET));
            data.put(3, (byte) (extended ? EXTENDED_LENGTH - 4 : 0));
            task.finishWithData(data, extended ? EXTENDED_LENGTH : 4);
        }
    }

    /**
     * {@code length (2) | origin | 0 | milliseconds since 1970 (6) | 0 (2)}. The clock is the machine's, which SCSI cannot set:
     * there is no SET TIMESTAMP.
     */
    private static final class ReportTimestamp implements ScsiCommand {
        private static final int LENGTH = 12;
        private static final int ORIGIN_OUTSIDE_SCSI = 3;

        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.wantDataIn(task.cdb().intAt(6), LENGTH);
        }

        @Override
        public void execute(ScsiTask task) {
            long now = task.server().clock().millis();
            ByteBuffer data = task.server().scratch(LENGTH);
            data.putShort(0, (short) (LENGTH - 2));
            data.put(2, (byte) ORIGIN_OUTSIDE_SCSI);
            data.putShort(4, (short) (now >>> 32));
            data.putInt(6, (int) now);
            task.finishWithData(data, LENGTH);
        }
    }
}
