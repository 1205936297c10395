package io.srpt.scsi;

/**
 * WRITE ATOMIC(16) (SBC-4 §5.51): no other command sees a part of it. Atomic boundaries are not supported.
 *
 * <p>The promise is one against other commands, which are kept off the range meanwhile; what a power cut leaves is what the
 * storage behind the store leaves of one write.
 */
final class WriteAtomicCommand implements ScsiCommand {
    private static final int MAX_BLOCKS = 2048;

    static void addTo(CommandTable table) {
        table.add("WRITE ATOMIC(16)", "9c f8 ff ff ff ff ff ff ff ff ff ff ff ff 00 04", new WriteAtomicCommand());
    }

    /** The most blocks of a command. */
    static int maxBlocks(LogicalUnitConfig config) {
        return Math.min(MAX_BLOCKS, config.maxTransferBytes() / config.blockSize());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        boolean tooLong = BlockCdb.ATOMIC.blocks(task) > maxBlocks(task.unit().config());
        boolean boundary = task.cdb().shortAt(10) != 0;
        return tooLong || boundary
                ? task.checkCondition(Sense.INVALID_FIELD_IN_CDB)
                : WriteCommand.beginWrite(task, BlockCdb.ATOMIC);
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit();
        long at = BlockCdb.ATOMIC.lba(task) << unit.blockShift();
        task.store().range(at, task.dataLength(), RangeMode.EXCLUSIVE);
        task.store().write(at, unit.through(BlockCdb.ATOMIC.fua(task)));
    }

    @Override
    public void storeDone(ScsiTask task) {
        WriteCommand.finishWrite(task);
    }
}
