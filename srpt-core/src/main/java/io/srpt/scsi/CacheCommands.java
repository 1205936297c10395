package io.srpt.scsi;

/**
 * SYNCHRONIZE CACHE 10 and 16 (SBC-3 §5.26, §5.27).
 *
 * <p>The whole store is flushed whatever the range. With IMMED an early status is allowed, but not asked for: we answer when
 * the data is durable, so GOOD always means that.
 */
final class CacheCommands {
    private CacheCommands() {}

    static void addTo(CommandTable table) {
        table.add("SYNCHRONIZE CACHE(10)", "35 02 ff ff ff ff 00 ff ff 04", new Flush(true))
                .add("SYNCHRONIZE CACHE(16)", "91 02 ff ff ff ff ff ff ff ff ff ff ff ff 00 04", new Flush(false));
    }

    private record Flush(boolean ten) implements ScsiCommand {
        @Override
        public TaskPhase begin(ScsiTask task) {
            long lba = ten ? task.cdb().intAt(2) : task.cdb().longAt(2);
            long blocks = ten ? task.cdb().shortAt(7) : task.cdb().intAt(10);
            if (!task.unit().contains(lba, blocks)) {
                return task.checkCondition(Sense.LBA_OUT_OF_RANGE);
            }
            return TaskPhase.READY;
        }

        @Override
        public void execute(ScsiTask task) {
            task.store().flush();
        }

        @Override
        public void storeDone(ScsiTask task) {
            task.unit().counters().flushes.increment();
            task.finishGood();
        }
    }
}
