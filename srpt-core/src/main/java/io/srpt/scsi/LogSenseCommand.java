package io.srpt.scsi;

import io.srpt.store.StoreUsage;
import java.nio.ByteBuffer;

/**
 * LOG SENSE (SPC-5 §6.8): supported pages (00h), logical block provisioning (0Ch, of a thin disk), general statistics (19h).
 *
 * <pre>
 *  page | subpage | length (2) | { parameter code (2) | control | length | value } ...
 * </pre>
 */
final class LogSenseCommand implements ScsiCommand {
    /** Parameter of the provisioning page, and a threshold's resource: LBA mapping resources that are available. */
    static final int AVAILABLE = 0x0001;

    private static final int PAGE_CODE = 0x3F;
    private static final int PAGE_CONTROL_SHIFT = 6;
    private static final int CUMULATIVE = 1;
    private static final int SUPPORTED = 0x00;
    private static final int PROVISIONING = 0x0C;
    private static final int STATISTICS = 0x19;
    private static final int USED = 0x0002;
    private static final int COMMANDS = 0x0001;
    private static final int BINARY_LIST = 0x03;
    private static final int SCOPE_OF_THE_UNIT = 0x01;
    private static final int STATISTICS_LENGTH = 0x40;
    private static final int MAX_LENGTH = 128;

    static void addTo(CommandTable table) {
        table.add("LOG SENSE", "4d 00 ff ff 00 ff ff ff ff 04", new LogSenseCommand());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        int page = task.cdb().byteAt(2) & PAGE_CODE;
        boolean known = page == SUPPORTED
                || page == STATISTICS
                || page == PROVISIONING && task.unit().thin();
        boolean valid = known
                && task.cdb().byteAt(2) >> PAGE_CONTROL_SHIFT == CUMULATIVE
                && task.cdb().byteAt(3) == 0
                && task.cdb().byteAt(1) == 0
                && task.cdb().shortAt(5) <= lastParameter(page, task.unit());
        return valid
                ? task.wantDataIn(task.cdb().shortAt(7), MAX_LENGTH)
                : task.checkCondition(Sense.INVALID_FIELD_IN_CDB);
    }

    /** The largest parameter code that a page has, which the parameter pointer must not pass; 0 where it has none. */
    private static int lastParameter(int page, LogicalUnit unit) {
        StoreUsage usage = unit.store().usage();
        return switch (page) {
            case PROVISIONING -> usage.allocatedBytes() >= 0 ? USED : usage.availableBytes() >= 0 ? AVAILABLE : 0;
            case STATISTICS -> COMMANDS;
            default -> 0;
        };
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit();
        ByteBuffer data = task.server().scratch(MAX_LENGTH);
        int page = task.cdb().byteAt(2) & PAGE_CODE;
        int end = switch (page) {
            case PROVISIONING -> provisioning(data, unit, task.cdb().shortAt(5));
            case STATISTICS -> statistics(data, unit);
            default -> supported(data, unit);
        };
        data.put(0, (byte) page);
        data.putShort(2, (short) (end - 4));
        task.finishWithData(data, end);
    }

    private static int supported(ByteBuffer data, LogicalUnit unit) {
        int at = 4;
        data.put(at++, (byte) SUPPORTED);
        if (unit.thin()) {
            data.put(at++, (byte) PROVISIONING);
        }
        data.put(at++, (byte) STATISTICS);
        return at;
    }

    /** Parameters from code {@code from} on, in threshold sets; what the store does not know is left out. */
    private static int provisioning(ByteBuffer data, LogicalUnit unit, int from) {
        StoreUsage usage = unit.store().usage();
        int at = 4;
        if (from <= AVAILABLE) {
            at = resourceCount(data, at, AVAILABLE, usage.availableBytes(), unit);
        }
        if (from <= USED) {
            at = resourceCount(data, at, USED, usage.allocatedBytes(), unit);
        }
        return at;
    }

    private static int resourceCount(ByteBuffer data, int at, int code, long bytes, LogicalUnit unit) {
        if (bytes < 0) {
            return at;
        }
        data.putShort(at, (short) code);
        data.put(at + 2, (byte) BINARY_LIST);
        data.put(at + 3, (byte) 8);
        data.putInt(at + 4, SoftThreshold.sets(bytes, unit));
        data.put(at + 8, (byte) SCOPE_OF_THE_UNIT);
        return at + 12;
    }

    /** Parameter 1: read and write commands, blocks received and transmitted (8 each), then times that are not counted. */
    private static int statistics(ByteBuffer data, LogicalUnit unit) {
        LogicalUnitCounters counters = unit.counters();
        data.putShort(4, (short) COMMANDS);
        data.put(6, (byte) BINARY_LIST);
        data.put(7, (byte) STATISTICS_LENGTH);
        data.putLong(8, counters.reads.get());
        data.putLong(16, counters.writes.get());
        data.putLong(24, counters.writtenBytes.get() >>> unit.blockShift());
        data.putLong(32, counters.readBytes.get() >>> unit.blockShift());
        return 8 + STATISTICS_LENGTH;
    }
}
