package io.srpt.scsi;

/** WRITE 6, 10, 12 and 16. The descriptors must cover exactly what the CDB says, or nothing is written. */
final class WriteCommand implements ScsiCommand {
    private final BlockCdb form;

    private WriteCommand(BlockCdb form) {
        this.form = form;
    }

    static void addTo(CommandTable table) {
        table.add("WRITE(6)", "0a 1f ff ff ff 04", new WriteCommand(BlockCdb.SIX))
                .add("WRITE(10)", "2a f8 ff ff ff ff 00 ff ff 04", new WriteCommand(BlockCdb.TEN))
                .add("WRITE(12)", "aa f8 ff ff ff ff ff ff ff ff 00 04", new WriteCommand(BlockCdb.TWELVE))
                .add(
                        "WRITE(16)",
                        "8a f8 ff ff ff ff ff ff ff ff ff ff ff ff 00 04",
                        new WriteCommand(BlockCdb.SIXTEEN));
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        return beginWrite(task, form);
    }

    /** What each command does first that writes its data-out. */
    static TaskPhase beginWrite(ScsiTask task, BlockCdb form) {
        Sense wrong = form.check(task);
        if (wrong == null) {
            wrong = task.writeRefusal();
        }
        if (wrong != null) {
            return task.checkCondition(wrong);
        }
        long bytes = form.blocks(task) << task.unit().blockShift();
        if (bytes != task.dataOutLength()) {
            return task.checkCondition(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        return bytes == 0 ? task.finishGood() : task.wantDataOut(bytes);
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit();
        task.store().write(form.lba(task) << unit.blockShift(), unit.through(form.fua(task)));
    }

    @Override
    public void storeDone(ScsiTask task) {
        finishWrite(task);
    }

    /** Counts the data-out as written and ends the task. */
    static void finishWrite(ScsiTask task) {
        LogicalUnitCounters counters = task.unit().counters();
        counters.writes.increment();
        counters.writtenBytes.add(task.dataLength());
        task.finishGood();
    }
}
