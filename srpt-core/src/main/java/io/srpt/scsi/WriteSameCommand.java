package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * WRITE SAME 10, 16 and 32 (SBC-3 §5.41 to §5.43): one block, or zeros with NDOB, into every block of a range.
 *
 * <p>With UNMAP the range is deallocated if the block is what deallocated blocks read as, zeros, and is written otherwise
 * (SBC-3 §4.7.3.4.4). ANCHOR is refused, and so is a length of 0, up to the end of the disk: that is more than a command may
 * write, except on small disks (WSNZ).
 */
final class WriteSameCommand implements ScsiCommand {
    private enum Form {
        TEN,
        SIXTEEN,
        THIRTY_TWO
    }

    private static final int MAX_BYTES = 16 << 20;
    private static final int PROTECT = 0xE0;
    private static final int ANCHOR = 0x10;
    private static final int UNMAP = 0x08;
    private static final int BLOCK_OR_PHYSICAL_DATA = 0x06;
    private static final int NDOB = 0x01;

    private final Form form;

    private WriteSameCommand(Form form) {
        this.form = form;
    }

    static void addTo(CommandTable table) {
        table.add("WRITE SAME(10)", "41 f8 ff ff ff ff 00 ff ff 04", new WriteSameCommand(Form.TEN))
                .add(
                        "WRITE SAME(16)",
                        "93 f9 ff ff ff ff ff ff ff ff ff ff ff ff 00 04",
                        new WriteSameCommand(Form.SIXTEEN))
                .addVariableLength(
                        "WRITE SAME(32)",
                        "7f 04 00 00 00 00 00 18 00 0d f9 00 ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 ff ff ff ff",
                        new WriteSameCommand(Form.THIRTY_TWO));
    }

    /** The most blocks of a command. */
    static int maxBlocks(LogicalUnitConfig config) {
        return MAX_BYTES / config.blockSize();
    }

    private int flags(ScsiTask task) {
        return task.cdb().byteAt(form == Form.THIRTY_TWO ? 10 : 1);
    }

    private boolean noData(ScsiTask task) {
        return form != Form.TEN && (flags(task) & NDOB) != 0;
    }

    private long lba(ScsiTask task) {
        return switch (form) {
            case TEN -> task.cdb().intAt(2);
            case SIXTEEN -> task.cdb().longAt(2);
            case THIRTY_TWO -> task.cdb().longAt(12);
        };
    }

    private long blocks(ScsiTask task) {
        return switch (form) {
            case TEN -> task.cdb().shortAt(7);
            case SIXTEEN -> task.cdb().intAt(10);
            case THIRTY_TWO -> task.cdb().intAt(28);
        };
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        LogicalUnit unit = task.unit();
        Sense wrong = wrong(task);
        if (wrong != null) {
            return task.checkCondition(wrong);
        }
        if (noData(task)) {
            return TaskPhase.READY;
        }
        int block = unit.config().blockSize();
        if (task.dataOutLength() != block) {
            return task.checkCondition(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        return task.wantDataOut(block);
    }

    private @Nullable Sense wrong(ScsiTask task) {
        int flags = flags(task);
        boolean reserved = (flags & (PROTECT | ANCHOR | BLOCK_OR_PHYSICAL_DATA)) != 0
                || form == Form.TEN && (flags & NDOB) != 0
                || (flags & UNMAP) != 0 && !task.unit().thin();
        if (reserved) {
            return Sense.INVALID_FIELD_IN_CDB;
        }
        if (!task.unit().contains(lba(task), blocks(task))) {
            return Sense.LBA_OUT_OF_RANGE;
        }
        if (blocks(task) == 0 || blocks(task) > maxBlocks(task.unit().config())) {
            return Sense.INVALID_FIELD_IN_CDB;
        }
        return task.writeRefusal();
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit();
        long at = lba(task) << unit.blockShift();
        long bytes = blocks(task) << unit.blockShift();
        boolean unmap = (flags(task) & UNMAP) != 0;
        int block = unit.config().blockSize();
        ByteBuffer pattern = task.server().scratch(block);
        if (!noData(task)) {
            task.buffers().copyOut(0, pattern, 0, block);
        }
        if (pattern.slice(0, block).mismatch(ByteBuffer.allocate(block)) < 0) {
            boolean through = unit.through(false);
            task.store().callWriting(at, bytes, done -> unit.store().writeZeroes(at, bytes, unmap, through, done));
            return;
        }
        task.store().range(at, bytes, RangeMode.WRITE);
        RangeWork work = RangeWork.begin(task, at, bytes);
        work.buffer().put(0, pattern, 0, block);
        work.repeat(block);
        work.write(task, false);
    }

    @Override
    public void storeDone(ScsiTask task) {
        if (task.work instanceof RangeWork work && work.next()) {
            work.write(task, false);
            return;
        }
        LogicalUnitCounters counters = task.unit().counters();
        counters.writes.increment();
        counters.writtenBytes.add(blocks(task) << task.unit().blockShift());
        task.finishGood();
    }
}
