package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * GET LBA STATUS(16) (SBC-3 §5.6): which blocks are mapped and which are deallocated, from an LBA on to the end of the disk
 * or of the allocation length.
 *
 * <pre>
 *  data length (4) | 0 (4) | { lba (8) | blocks (4) | 0 mapped, 1 deallocated (1) | 0 (3) } ...
 * </pre>
 */
final class LbaStatusCommand implements ScsiCommand {
    private static final int HEADER = 8;
    private static final int DESCRIPTOR = 16;
    private static final int MAX_DESCRIPTORS = 256;
    private static final int DEALLOCATED = 1;
    private static final long MAX_BLOCKS = 0xFFFF_FFFFL;

    static void addTo(CommandTable table) {
        table.addServiceAction(
                "GET LBA STATUS(16)", "9e 12 ff ff ff ff ff ff ff ff ff ff ff ff 00 04", new LbaStatusCommand());
    }

    /** The runs that the store has told so far; the last one may still grow. */
    private static final class Work implements TaskWork {
        private final ByteBuffer data = ByteBuffer.allocate(HEADER + MAX_DESCRIPTORS * DESCRIPTOR);
        private final int limit;
        private int end = HEADER;
        private long lba;
        private boolean allocated;
        private long length;

        Work(long lba, int descriptors) {
            this.lba = lba;
            this.limit = HEADER + descriptors * DESCRIPTOR;
        }

        /** Takes over the run that the store has told; a block that is occupied in part is mapped. */
        boolean add(LogicalUnit unit) {
            long whole = length >>> unit.blockShift();
            boolean partial = whole << unit.blockShift() != length;
            boolean mapped = allocated || whole == 0;
            long blocks = Math.min(unit.blocks() - lba, mapped && partial ? whole + 1 : whole);
            int status = mapped ? 0 : DEALLOCATED;
            int last = end - DESCRIPTOR;
            if (end > HEADER && data.get(last + 12) == status) {
                long grown = (data.getInt(last + 8) & MAX_BLOCKS) + blocks;
                if (grown <= MAX_BLOCKS) {
                    data.putInt(last + 8, (int) grown);
                    lba += blocks;
                    return true;
                }
            }
            if (end == limit) {
                return false;
            }
            blocks = Math.min(blocks, MAX_BLOCKS);
            data.putLong(end, lba).putInt(end + 8, (int) blocks).put(end + 12, (byte) status);
            end += DESCRIPTOR;
            lba += blocks;
            return true;
        }
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        long lba = task.cdb().longAt(2);
        if (lba < 0 || lba >= task.unit().blocks()) {
            return task.checkCondition(Sense.LBA_OUT_OF_RANGE);
        }
        return task.wantDataIn(task.cdb().intAt(10), HEADER + MAX_DESCRIPTORS * DESCRIPTOR);
    }

    @Override
    public void execute(ScsiTask task) {
        long room = (task.cdb().intAt(10) - HEADER) / DESCRIPTOR;
        task.work = new Work(task.cdb().longAt(2), (int) Math.clamp(room, 1, MAX_DESCRIPTORS));
        ask(task);
    }

    private static void ask(ScsiTask task) {
        LogicalUnit unit = task.unit();
        Work work = (Work) Objects.requireNonNull(task.work);
        long offset = work.lba << unit.blockShift();
        long rest = (unit.blocks() << unit.blockShift()) - offset;
        task.store()
                .callReading(
                        offset,
                        0,
                        done -> unit.store().allocation(offset, rest, (status, allocated, length) -> {
                            work.allocated = allocated;
                            work.length = length;
                            done.onStoreDone(status, offset);
                        }));
    }

    @Override
    public void storeDone(ScsiTask task) {
        Work work = (Work) Objects.requireNonNull(task.work);
        if (work.add(task.unit()) && work.lba < task.unit().blocks()) {
            ask(task);
            return;
        }
        work.data.putInt(0, work.end - 4);
        task.finishWithData(work.data, work.end);
    }
}
