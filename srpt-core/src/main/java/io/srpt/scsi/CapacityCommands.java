package io.srpt.scsi;

import java.nio.ByteBuffer;

/** READ CAPACITY 10 and 16 (SBC-3 §5.15, §5.16). */
final class CapacityCommands {
    private static final int LENGTH_10 = 8;
    private static final int LENGTH_16 = 32;
    private static final int LBPME = 0x80;
    private static final int LBPRZ = 0x40;

    private CapacityCommands() {}

    static void addTo(CommandTable table) {
        table.add("READ CAPACITY(10)", "25 00 00 00 00 00 00 00 00 04", new ReadCapacity10())
                .addServiceAction(
                        "READ CAPACITY(16)", "9e 10 00 00 00 00 00 00 00 00 ff ff ff ff 00 04", new ReadCapacity16());
    }

    /** {@code last LBA (4) | block length (4)}; FFFFFFFFh says that READ CAPACITY(16) knows. */
    private static final class ReadCapacity10 implements ScsiCommand {
        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.wantDataIn(LENGTH_10, LENGTH_10);
        }

        @Override
        public void execute(ScsiTask task) {
            LogicalUnit unit = task.unit();
            ByteBuffer data = task.server().scratch(LENGTH_10);
            data.putInt(0, (int) Math.min(unit.blocks() - 1, 0xFFFF_FFFFL));
            data.putInt(4, unit.config().blockSize());
            task.finishWithData(data, LENGTH_10);
        }
    }

    /** {@code last LBA (8) | block length (4) | P_TYPE PROT_EN | LBPPBE | LBPME LBPRZ, lowest aligned LBA (2) | 0 (16)}. */
    private static final class ReadCapacity16 implements ScsiCommand {
        @Override
        public TaskPhase begin(ScsiTask task) {
            return task.wantDataIn(task.cdb().intAt(10), LENGTH_16);
        }

        @Override
        public void execute(ScsiTask task) {
            LogicalUnit unit = task.unit();
            LogicalUnitConfig config = unit.config();
            ByteBuffer data = task.server().scratch(LENGTH_16);
            data.putLong(0, unit.blocks() - 1);
            data.putInt(8, config.blockSize());
            data.put(13, (byte) Integer.numberOfTrailingZeros(config.physicalBlockSize() / config.blockSize()));
            data.put(14, (byte) (unit.thin() ? LBPME | LBPRZ : 0));
            task.finishWithData(data, LENGTH_16);
        }
    }
}
