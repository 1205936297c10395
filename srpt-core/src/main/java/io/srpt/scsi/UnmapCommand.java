package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * UNMAP (SBC-3 §5.28): deallocates ranges, which read as zeros from then on. Nothing is done unless all of them are valid.
 *
 * <pre>
 *  data length (2) | block descriptor data length (2) | 0 (4) | { lba (8) | blocks (4) | 0 (4) } ...
 * </pre>
 */
final class UnmapCommand implements ScsiCommand {
    /** The most block descriptors of a command. */
    static final int MAX_DESCRIPTORS = 256;

    private static final int ANCHOR = 0x01;
    private static final int HEADER = 8;
    private static final int DESCRIPTOR = 16;

    static void addTo(CommandTable table) {
        table.add("UNMAP", "42 00 00 00 00 00 00 ff ff 04", new UnmapCommand());
    }

    private static final class Work implements TaskWork {
        private final ByteBuffer list;
        private int next = HEADER;

        Work(ByteBuffer list) {
            this.list = list;
        }
    }

    @Override
    public boolean offered(LogicalUnit unit) {
        return unit.thin();
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        if ((task.cdb().byteAt(1) & ANCHOR) != 0) {
            return task.invalidField(1);
        }
        Sense refusal = task.writeRefusal();
        if (refusal != null) {
            return task.checkCondition(refusal);
        }
        int length = task.cdb().shortAt(7);
        if (length == 0) {
            return task.finishGood();
        }
        return length < HEADER || length > task.dataOutLength()
                ? task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR)
                : task.wantDataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        ByteBuffer list = task.parameterList();
        int listed = list.getShort(2) & 0xFFFF;
        int descriptors = Math.min(listed, list.capacity() - HEADER) / DESCRIPTOR;
        list.limit(HEADER + descriptors * DESCRIPTOR);
        Sense wrong = wrong(task.unit(), list, descriptors);
        if (wrong != null) {
            task.checkCondition(wrong);
            return;
        }
        task.work = new Work(list);
        storeDone(task);
    }

    private static @Nullable Sense wrong(LogicalUnit unit, ByteBuffer list, int descriptors) {
        if (descriptors > MAX_DESCRIPTORS) {
            return Sense.INVALID_FIELD_IN_PARAMETER_LIST;
        }
        for (int at = HEADER; at < list.limit(); at += DESCRIPTOR) {
            if (!unit.contains(list.getLong(at), list.getInt(at + 8) & 0xFFFF_FFFFL)) {
                return Sense.LBA_OUT_OF_RANGE;
            }
        }
        return null;
    }

    @Override
    public void storeDone(ScsiTask task) {
        Work work = (Work) Objects.requireNonNull(task.work);
        LogicalUnit unit = task.unit();
        while (work.next < work.list.limit()) {
            long offset = work.list.getLong(work.next) << unit.blockShift();
            long bytes = (work.list.getInt(work.next + 8) & 0xFFFF_FFFFL) << unit.blockShift();
            work.next += DESCRIPTOR;
            if (bytes > 0) {
                task.store()
                        .callWriting(
                                offset, bytes, done -> unit.store().unmap(offset, bytes, unit.through(false), done));
                return;
            }
        }
        task.finishGood();
    }
}
