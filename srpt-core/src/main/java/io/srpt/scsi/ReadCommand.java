package io.srpt.scsi;

/** READ 6, 10, 12 and 16. With FUA what is returned is on the medium: a volatile cache is flushed first. */
final class ReadCommand implements ScsiCommand {
    private static final int READING = 1;

    private final BlockCdb form;

    private ReadCommand(BlockCdb form) {
        this.form = form;
    }

    static void addTo(CommandTable table) {
        table.add("READ(6)", "08 1f ff ff ff 04", new ReadCommand(BlockCdb.SIX))
                .add("READ(10)", "28 f8 ff ff ff ff 00 ff ff 04", new ReadCommand(BlockCdb.TEN))
                .add("READ(12)", "a8 f8 ff ff ff ff ff ff ff ff 00 04", new ReadCommand(BlockCdb.TWELVE))
                .add("READ(16)", "88 f8 ff ff ff ff ff ff ff ff ff ff ff ff 00 04", new ReadCommand(BlockCdb.SIXTEEN));
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        Sense wrong = form.check(task);
        if (wrong != null) {
            return task.checkCondition(wrong);
        }
        long bytes = form.blocks(task) << task.unit().blockShift();
        return bytes == 0 ? task.finishGood() : task.wantDataIn(bytes, bytes);
    }

    @Override
    public void execute(ScsiTask task) {
        if (task.dataLength() == 0) {
            task.finishRead();
        } else if (form.fua(task) && task.unit().writeCacheEnabled()) {
            task.store().flush();
        } else {
            read(task);
        }
    }

    @Override
    public void storeDone(ScsiTask task) {
        if (task.commandStep != READING) {
            read(task);
            return;
        }
        LogicalUnitCounters counters = task.unit().counters();
        counters.reads.increment();
        counters.readBytes.add(task.dataLength());
        task.finishRead();
    }

    private void read(ScsiTask task) {
        task.commandStep = READING;
        task.store().read(form.lba(task) << task.unit().blockShift());
    }
}
