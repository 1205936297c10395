package io.srpt.scsi;

/**
 * COMPARE AND WRITE (SBC-3 §5.2): the data-out holds what must be there, then, as long again, what is written if it is.
 *
 * <p>A miscompare tells in the information field how many bytes into the data-out the first difference is.
 */
final class CompareAndWriteCommand implements ScsiCommand {
    /** The most blocks of a command; the field of the block limits page and of the CDB has eight bits. */
    static final int MAX_BLOCKS = 255;

    private static final int READING = 0;
    private static final int WRITING = 1;

    static void addTo(CommandTable table) {
        table.add("COMPARE AND WRITE", "89 f8 ff ff ff ff ff ff ff ff 00 00 00 ff 00 04", new CompareAndWriteCommand());
    }

    /** The limit for a unit: both halves fit into one transfer, one of them into a work buffer. */
    static int maxBlocks(LogicalUnitConfig config) {
        int bytes = Math.min(WorkBuffers.SIZE, config.maxTransferBytes() / 2);
        return Math.min(MAX_BLOCKS, bytes / config.blockSize());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        LogicalUnit unit = task.unit();
        long blocks = BlockCdb.COMPARE_AND_WRITE.blocks(task);
        Sense wrong = BlockCdb.COMPARE_AND_WRITE.check(task);
        if (wrong == null && blocks > maxBlocks(unit.config())) {
            wrong = Sense.INVALID_FIELD_IN_CDB;
        }
        if (wrong == null) {
            wrong = task.writeRefusal();
        }
        if (wrong != null) {
            return task.checkCondition(wrong);
        }
        long bytes = 2 * blocks << unit.blockShift();
        if (bytes != task.dataOutLength()) {
            return task.checkCondition(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        return bytes == 0 ? task.finishGood() : task.wantDataOut(bytes);
    }

    @Override
    public void execute(ScsiTask task) {
        long at = BlockCdb.COMPARE_AND_WRITE.lba(task) << task.unit().blockShift();
        RangeWork work = RangeWork.begin(task, at, task.dataLength() / 2);
        task.store().range(at, work.part(), RangeMode.EXCLUSIVE);
        task.commandStep = READING;
        work.read(task);
    }

    @Override
    public void storeDone(ScsiTask task) {
        RangeWork work = task.work();
        if (task.commandStep == WRITING) {
            task.unit().counters().writes.increment();
            task.unit().counters().writtenBytes.add(work.part());
            task.finishGood();
            return;
        }
        int same = task.buffers().commonOut(0, work.buffer(), 0, work.part());
        if (same < work.part()) {
            task.checkCondition(Sense.MISCOMPARE_DURING_VERIFY, same);
            return;
        }
        task.commandStep = WRITING;
        task.buffers().copyOut(work.part(), work.buffer(), 0, work.part());
        work.write(task, BlockCdb.COMPARE_AND_WRITE.fua(task));
    }
}
