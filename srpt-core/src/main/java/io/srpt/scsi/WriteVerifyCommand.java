package io.srpt.scsi;

/**
 * WRITE AND VERIFY 10, 12 and 16 (SBC-3 §5.38 to §5.40): writes through to the medium, then reads back; with BYTCHK 1 what
 * comes back is compared with the data-out.
 */
final class WriteVerifyCommand implements ScsiCommand {
    private static final int WRITING = 0;
    private static final int READING = 1;
    private static final int COMPARE = 1;

    private final BlockCdb form;

    private WriteVerifyCommand(BlockCdb form) {
        this.form = form;
    }

    static void addTo(CommandTable table) {
        table.add("WRITE AND VERIFY(10)", "2e f6 ff ff ff ff 00 ff ff 04", new WriteVerifyCommand(BlockCdb.TEN))
                .add(
                        "WRITE AND VERIFY(12)",
                        "ae f6 ff ff ff ff ff ff ff ff 00 04",
                        new WriteVerifyCommand(BlockCdb.TWELVE))
                .add(
                        "WRITE AND VERIFY(16)",
                        "8e f6 ff ff ff ff ff ff ff ff ff ff ff ff 00 04",
                        new WriteVerifyCommand(BlockCdb.SIXTEEN));
    }

    private static int byteCheck(ScsiTask task) {
        return task.cdb().byteAt(1) >> 1 & 3;
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        return byteCheck(task) > COMPARE
                ? task.checkCondition(Sense.INVALID_FIELD_IN_CDB)
                : WriteCommand.beginWrite(task, form);
    }

    @Override
    public void execute(ScsiTask task) {
        long at = form.lba(task) << task.unit().blockShift();
        task.store().range(at, task.dataLength(), RangeMode.WRITE);
        task.commandStep = WRITING;
        task.store().write(at, true);
    }

    @Override
    public void storeDone(ScsiTask task) {
        if (task.commandStep == WRITING) {
            task.commandStep = READING;
            RangeWork.begin(task, form.lba(task) << task.unit().blockShift(), task.dataLength())
                    .read(task);
            return;
        }
        RangeWork work = task.work();
        int same = byteCheck(task) == COMPARE
                ? task.buffers().commonOut((int) work.done(), work.buffer(), 0, work.part())
                : work.part();
        if (same < work.part()) {
            long lba = work.at() + same >> task.unit().blockShift();
            task.checkCondition(Sense.MISCOMPARE_DURING_VERIFY, lba);
        } else if (work.next()) {
            work.read(task);
        } else {
            WriteCommand.finishWrite(task);
        }
    }
}
