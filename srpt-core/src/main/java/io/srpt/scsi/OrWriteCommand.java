package io.srpt.scsi;

import java.nio.ByteBuffer;

/** ORWRITE(16) (SBC-3 §5.7): each bit of the data-out that is 1 is set on the medium. */
final class OrWriteCommand implements ScsiCommand {
    private static final int READING = 0;
    private static final int WRITING = 1;

    static void addTo(CommandTable table) {
        table.add("ORWRITE(16)", "8b f8 ff ff ff ff ff ff ff ff ff ff ff ff 00 04", new OrWriteCommand());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        return WriteCommand.beginWrite(task, BlockCdb.SIXTEEN);
    }

    @Override
    public void execute(ScsiTask task) {
        long at = BlockCdb.SIXTEEN.lba(task) << task.unit().blockShift();
        task.store().range(at, task.dataLength(), RangeMode.EXCLUSIVE);
        read(task, RangeWork.begin(task, at, task.dataLength()));
    }

    private static void read(ScsiTask task, RangeWork work) {
        task.commandStep = READING;
        work.read(task);
    }

    @Override
    public void storeDone(ScsiTask task) {
        RangeWork work = task.work();
        if (task.commandStep == READING) {
            or(task, work);
            task.commandStep = WRITING;
            work.write(task, BlockCdb.SIXTEEN.fua(task));
        } else if (work.next()) {
            read(task, work);
        } else {
            WriteCommand.finishWrite(task);
        }
    }

    private static void or(ScsiTask task, RangeWork work) {
        ByteBuffer medium = work.buffer();
        medium.clear();
        ByteBuffer mask = task.server().scratch(work.part());
        task.buffers().copyOut((int) work.done(), mask, 0, work.part());
        for (int at = 0; at < work.part(); at += Long.BYTES) {
            medium.putLong(at, medium.getLong(at) | mask.getLong(at));
        }
    }
}
