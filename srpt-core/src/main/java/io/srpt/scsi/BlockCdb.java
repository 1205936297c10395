package io.srpt.scsi;

import org.jspecify.annotations.Nullable;

/**
 * The fields of the READ and WRITE CDBs of 6, 10, 12 and 16 bytes (SBC-3 §5.11 to §5.14, §5.32 to §5.35).
 *
 * <pre>
 *   6: op | 0(3) lba(21)              | length(1)  | control        length 0 means 256
 *  10: op | prot(3) DPO FUA 0 0 0     | lba(4)     | group | length(2)  | control
 *  12: op | as 10                     | lba(4)     | length(4)          | group | control
 *  16: op | as 10                     | lba(8)     | length(4)          | group | control
 * </pre>
 */
enum BlockCdb {
    SIX,
    TEN,
    TWELVE,
    SIXTEEN,
    /** WRITE ATOMIC(16): the length is in bytes 12 and 13. */
    ATOMIC,
    /** COMPARE AND WRITE: the length is byte 13. */
    COMPARE_AND_WRITE;

    private static final int PROTECT = 0xE0;
    private static final int FUA = 0x08;

    long lba(ScsiTask task) {
        return switch (this) {
            case SIX -> task.cdb().intAt(0) & 0x1F_FFFF;
            case TEN, TWELVE -> task.cdb().intAt(2);
            case SIXTEEN, ATOMIC, COMPARE_AND_WRITE -> task.cdb().longAt(2);
        };
    }

    long blocks(ScsiTask task) {
        return switch (this) {
            case SIX -> task.cdb().byteAt(4) == 0 ? 256 : task.cdb().byteAt(4);
            case TEN -> task.cdb().shortAt(7);
            case TWELVE -> task.cdb().intAt(6);
            case SIXTEEN -> task.cdb().intAt(10);
            case ATOMIC -> task.cdb().shortAt(12);
            case COMPARE_AND_WRITE -> task.cdb().byteAt(13);
        };
    }

    /** Whether the initiator asks for protection information, which the disk has not. */
    boolean protect(ScsiTask task) {
        return this != SIX && (task.cdb().byteAt(1) & PROTECT) != 0;
    }

    boolean fua(ScsiTask task) {
        return this != SIX && (task.cdb().byteAt(1) & FUA) != 0;
    }

    /** What is wrong with the range, or null: protection, length limit, end of the disk. */
    @Nullable
    Sense check(ScsiTask task) {
        LogicalUnit unit = task.unit();
        long blocks = blocks(task);
        if (protect(task)) {
            return Sense.INVALID_FIELD_IN_CDB;
        }
        if (!unit.contains(lba(task), blocks)) {
            return Sense.LBA_OUT_OF_RANGE;
        }
        return blocks << unit.blockShift() > unit.config().maxTransferBytes() ? Sense.INVALID_FIELD_IN_CDB : null;
    }
}
