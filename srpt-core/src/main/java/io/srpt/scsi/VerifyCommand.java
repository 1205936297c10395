package io.srpt.scsi;

/**
 * VERIFY 10, 12 and 16 (SBC-3 §5.29 to §5.31): reads the medium and, as BYTCHK says, compares it.
 *
 * <pre>
 *  BYTCHK 0  the blocks can be read        1  they equal the data-out        3  each equals the one block of data-out
 * </pre>
 */
final class VerifyCommand implements ScsiCommand {
    private static final int READABLE = 0;
    private static final int EQUAL = 1;
    private static final int EACH_EQUAL = 3;

    private final BlockCdb form;

    private VerifyCommand(BlockCdb form) {
        this.form = form;
    }

    static void addTo(CommandTable table) {
        table.add("VERIFY(10)", "2f f6 ff ff ff ff 00 ff ff 04", new VerifyCommand(BlockCdb.TEN))
                .add("VERIFY(12)", "af f6 ff ff ff ff ff ff ff ff 00 04", new VerifyCommand(BlockCdb.TWELVE))
                .add(
                        "VERIFY(16)",
                        "8f f6 ff ff ff ff ff ff ff ff ff ff ff ff 00 04",
                        new VerifyCommand(BlockCdb.SIXTEEN));
    }

    private static int byteCheck(ScsiTask task) {
        return task.cdb().byteAt(1) >> 1 & 3;
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        Sense wrong = form.check(task);
        if (wrong != null) {
            return task.checkCondition(wrong);
        }
        long blocks = form.blocks(task);
        long out = switch (byteCheck(task)) {
                    case READABLE -> 0;
                    case EQUAL -> blocks;
                    case EACH_EQUAL -> Math.min(blocks, 1);
                    default -> -1;
                }
                << task.unit().blockShift();
        if (out < 0) {
            return task.invalidField(1);
        }
        if (out > 0 && out != task.dataOutLength()) {
            return task.checkCondition(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        return blocks == 0 ? task.finishGood() : out == 0 ? TaskPhase.READY : task.wantDataOut(out);
    }

    @Override
    public void execute(ScsiTask task) {
        int shift = task.unit().blockShift();
        long at = form.lba(task) << shift;
        long bytes = form.blocks(task) << shift;
        task.store().range(at, bytes, RangeMode.READ);
        RangeWork.begin(task, at, bytes).read(task);
    }

    @Override
    public void storeDone(ScsiTask task) {
        RangeWork work = task.work();
        int same = byteCheck(task) == READABLE ? work.part() : commonLength(task, work);
        if (same < work.part()) {
            long lba = work.at() + same >> task.unit().blockShift();
            task.checkCondition(Sense.MISCOMPARE_DURING_VERIFY, lba);
        } else if (work.next()) {
            work.read(task);
        } else {
            task.finishGood();
        }
    }

    private static int commonLength(ScsiTask task, RangeWork work) {
        if (byteCheck(task) == EQUAL) {
            return task.buffers().commonOut((int) work.done(), work.buffer(), 0, work.part());
        }
        int block = task.dataLength();
        for (int at = 0; at < work.part(); at += block) {
            int same = task.buffers().commonOut(0, work.buffer(), at, block);
            if (same < block) {
                return at + same;
            }
        }
        return work.part();
    }
}
