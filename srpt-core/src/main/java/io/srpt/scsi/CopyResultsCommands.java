package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * RECEIVE COPY RESULTS: what became of the nexus's copies, by list identifier, and what EXTENDED COPY takes (SPC-4 §6.18 to
 * §6.21). No copy ever holds data for the initiator.
 */
final class CopyResultsCommands {
    static final int OPERATION_CODE = 0x84;
    static final int COPY_STATUS = 0x00;
    static final int OPERATING_PARAMETERS = 0x03;
    static final int FAILURE_DETAILS = 0x04;

    private CopyResultsCommands() {}

    static void addTo(CommandTable table) {
        table.addServiceAction(
                        "RECEIVE COPY STATUS(LID1)",
                        "84 00 ff 00 00 00 00 00 00 00 ff ff ff ff 00 04",
                        new ReceiveStatus())
                .addServiceAction(
                        "RECEIVE COPY OPERATING PARAMETERS",
                        "84 03 00 00 00 00 00 00 00 00 ff ff ff ff 00 04",
                        new ReceiveParameters())
                .addServiceAction(
                        "RECEIVE COPY FAILURE DETAILS(LID1)",
                        "84 04 ff 00 00 00 00 00 00 00 ff ff ff ff 00 04",
                        new ReceiveFailure());
    }

    private static @Nullable CopyStatus find(ScsiTask task) {
        return task.nexus().copies().find(task.cdb().byteAt(2));
    }

    /** {@code 8 (4) | manager status | segments done (2) | unit: KiB | count (4)}. */
    private static final class ReceiveStatus implements ScsiCommand {
        private static final int LENGTH = 12;
        private static final int KIBIBYTES = 1;

        @Override
        public TaskPhase begin(ScsiTask task) {
            return find(task) == null
                    ? task.invalidField(2)
                    : task.wantDataIn(task.cdb().intAt(10), LENGTH);
        }

        @Override
        public void execute(ScsiTask task) {
            CopyStatus status = find(task);
            if (status == null) {
                task.invalidField(2);
                return;
            }
            ByteBuffer data = task.server().scratch(LENGTH);
            data.putInt(0, LENGTH - 4);
            data.put(4, (byte) status.code());
            data.putShort(5, (short) status.segmentsDone());
            data.put(7, (byte) KIBIBYTES);
            data.putInt(8, (int) Math.min(status.bytes() >>> 10, 0xFFFF_FFFFL));
            task.finishWithData(data, LENGTH);
        }
    }

    /**
     * The sense data of a copy that failed, which is forgotten then: {@code available (4) | 0 (52) | status | 0 | sense
     * length (2) | sense}.
     */
    private static final class ReceiveFailure implements ScsiCommand {
        private static final int STATUS = 56;
        private static final int SENSE_LENGTH = 58;
        private static final int SENSE = 60;

        @Override
        public TaskPhase begin(ScsiTask task) {
            CopyStatus status = find(task);
            return status == null || !status.ended()
                    ? task.invalidField(2)
                    : task.wantDataIn(task.cdb().intAt(10), SENSE + SenseData.MAX_LENGTH);
        }

        @Override
        public void execute(ScsiTask task) {
            CopyStatus status = find(task);
            Sense failure = status == null ? null : status.failure();
            ByteBuffer data = task.server().scratch(SENSE + SenseData.MAX_LENGTH);
            int length = 4;
            if (status != null && failure != null) {
                int sense = SenseData.encode(data, SENSE, failure, false, SenseData.NO_INFORMATION);
                data.put(STATUS, (byte) ScsiStatus.CHECK_CONDITION.code());
                data.putShort(SENSE_LENGTH, (short) sense);
                length = SENSE + sense;
                status.detailsTaken();
            }
            data.putInt(0, length - 4);
            task.finishWithData(data, length);
        }
    }

    /** The limits of {@link CopyParameters}, and the descriptors that it reads. */
    private static final class ReceiveParameters implements ScsiCommand {
        private static final int DESCRIPTORS = 44;
        private static final int LENGTH = DESCRIPTORS + CopyParameters.DESCRIPTOR_TYPES.length;
        private static final int WITHOUT_LIST_IDENTIFIER = 0x01;

        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.wantDataIn(task.cdb().intAt(10), LENGTH);
        }

        @Override
        public void execute(ScsiTask task) {
            ByteBuffer data = task.server().scratch(LENGTH);
            data.putInt(0, LENGTH - 4);
            data.put(4, (byte) WITHOUT_LIST_IDENTIFIER);
            data.putShort(8, (short) CopyParameters.MAX_TARGETS);
            data.putShort(10, (short) CopyParameters.MAX_SEGMENTS);
            data.putInt(12, CopyParameters.MAX_DESCRIPTORS_LENGTH);
            data.putInt(16, CopyParameters.MAX_SEGMENT_BYTES);
            data.putShort(34, (short) CopyParameters.MAX_CONCURRENT);
            data.put(36, (byte) CopyParameters.MAX_CONCURRENT);
            data.put(37, (byte) CopyParameters.GRANULARITY_EXPONENT);
            data.put(43, (byte) CopyParameters.DESCRIPTOR_TYPES.length);
            data.put(DESCRIPTORS, CopyParameters.DESCRIPTOR_TYPES);
            task.finishWithData(data, LENGTH);
        }
    }
}
