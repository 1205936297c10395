package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * MODE SELECT 6 and 10 (SPC-4 §6.9, §6.10): header, block descriptor or none, {@link ModePages}. All of a list is taken, or
 * nothing of it; nothing is saved. Other nexuses hear of a change by unit attention.
 */
final class ModeSelectCommand implements ScsiCommand {
    private static final ModePages[] PAGES = ModePages.values();
    private static final int PF = 0x10;
    private static final int SP = 0x01;
    private static final int LONGLBA = 0x01;
    private static final int SHORT_DESCRIPTOR = 8;
    private static final int LONG_DESCRIPTOR = 16;
    private static final int MAX_LIST = 1024;
    private static final int LENGTH_ERROR = -2;
    private static final int FINE = -1;

    private final boolean ten;

    private ModeSelectCommand(boolean ten) {
        this.ten = ten;
    }

    static void addTo(CommandTable table) {
        table.add("MODE SELECT(6)", "15 11 00 00 ff 04", new ModeSelectCommand(false))
                .add("MODE SELECT(10)", "55 11 00 00 00 00 00 ff ff 04", new ModeSelectCommand(true));
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        int length = ten ? task.cdb().shortAt(7) : task.cdb().byteAt(4);
        int flags = task.cdb().byteAt(1);
        if ((flags & PF) == 0 && length > 0 || (flags & SP) != 0) {
            return task.checkCondition(Sense.INVALID_FIELD_IN_CDB);
        }
        if (length == 0) {
            return task.finishGood();
        }
        return length > MAX_LIST || length > task.dataOutLength()
                ? task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR)
                : task.wantDataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        ByteBuffer list = task.parameterList();
        LogicalUnit unit = task.unit();
        int wrong = check(list, unit);
        if (wrong == LENGTH_ERROR) {
            task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR);
        } else if (wrong != FINE) {
            task.checkCondition(
                    Sense.INVALID_FIELD_IN_PARAMETER_LIST, SenseData.NO_INFORMATION, SenseData.field(true, wrong));
        } else {
            boolean wasVolatile = mayBecomeVolatile(unit);
            if (apply(list, unit)) {
                task.server().announce(unit, task.nexus(), UnitAttention.MODE_PARAMETERS_CHANGED);
            }
            if (wasVolatile && !mayBecomeVolatile(unit)) {
                task.store().flush(); // what was written before must not stay volatile
            } else {
                task.finishGood();
            }
        }
    }

    /** Whether a write may still leave data in the cache; the flush when that ends is SBC-3's for WCE, SPC-4's for SWP. */
    private static boolean mayBecomeVolatile(LogicalUnit unit) {
        return unit.writeCacheEnabled() && !unit.mode().softwareWriteProtect();
    }

    /** Where the pages begin, or {@link #LENGTH_ERROR}. */
    private int pages(ByteBuffer list) {
        int header = ten ? 8 : 4;
        if (list.capacity() < header) {
            return LENGTH_ERROR;
        }
        int descriptor = descriptorLength(list);
        return list.capacity() < header + descriptor ? LENGTH_ERROR : header + descriptor;
    }

    private int descriptorLength(ByteBuffer list) {
        return ten ? list.getShort(6) & 0xFFFF : list.get(3) & 0xFF;
    }

    /** The index of the first wrong byte, {@link #LENGTH_ERROR} or {@link #FINE}. */
    private int check(ByteBuffer list, LogicalUnit unit) {
        int at = pages(list);
        if (at == LENGTH_ERROR) {
            return LENGTH_ERROR;
        }
        int wrong = checkDescriptor(list, unit);
        while (wrong == FINE && at < list.capacity()) {
            ModePages page = page(list, at, unit);
            if (page == null) {
                return at;
            }
            if (at + page.headLength() > list.capacity()) {
                return LENGTH_ERROR;
            }
            int length = page.wrongLength(list, at);
            if (length >= 0) {
                return at + length;
            }
            if (at + page.length() > list.capacity()) {
                return LENGTH_ERROR;
            }
            int inPage = page.firstWrong(list, at, unit);
            wrong = inPage < 0 ? FINE : at + inPage;
            at += page.length();
        }
        return wrong;
    }

    /** A block descriptor may say only what is: as many blocks as there are, or 0, and their length. */
    private int checkDescriptor(ByteBuffer list, LogicalUnit unit) {
        int at = ten ? 8 : 4;
        int length = descriptorLength(list);
        boolean longLba = ten && (list.get(4) & LONGLBA) != 0;
        if (length == 0) {
            return FINE;
        }
        if (length != (longLba ? LONG_DESCRIPTOR : SHORT_DESCRIPTOR)) {
            return ten ? 6 : 3;
        }
        long blocks = longLba ? list.getLong(at) : list.getInt(at) & 0xFFFF_FFFFL;
        long all = longLba ? unit.blocks() : Math.min(unit.blocks(), 0xFFFF_FFFFL);
        int blockLength = longLba ? list.getInt(at + 12) : list.getInt(at + 4) & 0xFF_FFFF;
        if (blocks != 0 && blocks != all) {
            return at;
        }
        return blockLength == unit.config().blockSize() ? FINE : at + length - 4;
    }

    private static @Nullable ModePages page(ByteBuffer list, int at, LogicalUnit unit) {
        for (ModePages each : PAGES) {
            if (each.isAt(list, at, unit)) {
                return each;
            }
        }
        return null;
    }

    /** Takes over all pages; false when that changes nothing. */
    private boolean apply(ByteBuffer list, LogicalUnit unit) {
        boolean changes = false;
        int at = pages(list);
        while (at < list.capacity()) {
            ModePages page = page(list, at, unit);
            if (page == null) {
                return changes;
            }
            changes |= page.changes(list, at, unit);
            page.apply(list, at, unit, unit.mode());
            at += page.length();
        }
        return changes;
    }
}
