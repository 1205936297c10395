package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * READ BUFFER and WRITE BUFFER (SPC-4 §6.18, §6.49), the echo buffer only: for measuring and checking the way of the data.
 * What one nexus wrote another does not read: it hears that the buffer was overwritten.
 */
final class BufferCommands {
    private static final int MODE = 0x1F;
    private static final int ECHO = 0x0A;
    private static final int ECHO_DESCRIPTOR = 0x0B;

    private BufferCommands() {}

    static void addTo(CommandTable table) {
        table.add("READ BUFFER(10)", "3c 1f 00 00 00 00 ff ff ff 04", new Read())
                .add("WRITE BUFFER", "3b 1f 00 00 00 00 ff ff ff 04", new Write());
    }

    private static int length(ScsiTask task) {
        return (int) task.cdb().intAt(5) & 0xFF_FFFF;
    }

    private static final class Write implements ScsiCommand {
        @Override
        public TaskPhase begin(ScsiTask task) {
            int length = length(task);
            if ((task.cdb().byteAt(1) & MODE) != ECHO || length > EchoBuffer.CAPACITY) {
                return task.invalidField(length > EchoBuffer.CAPACITY ? 6 : 1);
            }
            if (length != task.dataOutLength()) {
                return task.checkCondition(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
            }
            return length == 0 ? task.finishGood() : task.wantDataOut(length);
        }

        @Override
        public void execute(ScsiTask task) {
            task.unit().echoBuffer().put(task.nexus(), task.parameterList());
            task.finishGood();
        }
    }

    private static final class Read implements ScsiCommand {
        private static final int DESCRIPTOR_LENGTH = 4;
        private static final int EBOS = 0x01;

        @Override
        public TaskPhase begin(ScsiTask task) {
            int mode = task.cdb().byteAt(1) & MODE;
            if (mode == ECHO_DESCRIPTOR) {
                return task.wantDataIn(length(task), DESCRIPTOR_LENGTH);
            }
            if (mode != ECHO) {
                return task.invalidField(1);
            }
            EchoBuffer echo = task.unit().echoBuffer();
            if (!echo.isOf(task.nexus())) {
                return task.checkCondition(
                        echo.isEmpty() ? Sense.COMMAND_SEQUENCE_ERROR : Sense.ECHO_BUFFER_OVERWRITTEN);
            }
            return task.wantDataIn(length(task), echo.data().capacity());
        }

        @Override
        public void execute(ScsiTask task) {
            if ((task.cdb().byteAt(1) & MODE) == ECHO) {
                ByteBuffer data = task.unit().echoBuffer().data();
                task.finishWithData(data, data.capacity());
                return;
            }
            ByteBuffer data = task.server().scratch(DESCRIPTOR_LENGTH);
            data.put(0, (byte) EBOS);
            data.putShort(2, (short) EchoBuffer.CAPACITY);
            task.finishWithData(data, DESCRIPTOR_LENGTH);
        }
    }
}
