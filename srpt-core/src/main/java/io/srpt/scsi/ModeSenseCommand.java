package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * MODE SENSE 6 and 10 (SPC-4 §6.11, §6.12): header, block descriptor unless DBD, then {@link ModePages}.
 *
 * <pre>
 *   6: length (1) | medium type | WP, DPOFUA | descriptor length (1)
 *  10: length (2) | medium type | WP, DPOFUA | LONGLBA | 0 | descriptor length (2)
 * </pre>
 */
final class ModeSenseCommand implements ScsiCommand {
    private static final ModePages[] ALL_PAGES = ModePages.values();
    private static final ModePages.Values[] VALUES = ModePages.Values.values();
    private static final int MAX_LENGTH = 128;
    private static final int DBD = 0x08;
    private static final int LLBAA = 0x10;
    private static final int LONGLBA = 0x01;
    private static final int PAGE_CODE = 0x3F;
    private static final int PAGE_CONTROL_SHIFT = 6;
    private static final int SAVED = 3;
    private static final int WP = 0x80;
    private static final int DPOFUA = 0x10;
    private static final int SHORT_DESCRIPTOR = 8;
    private static final int LONG_DESCRIPTOR = 16;

    private final boolean ten;

    private ModeSenseCommand(boolean ten) {
        this.ten = ten;
    }

    static void addTo(CommandTable table) {
        table.add("MODE SENSE(6)", "1a 08 ff ff ff 04", new ModeSenseCommand(false))
                .add("MODE SENSE(10)", "5a 18 ff ff 00 00 00 ff ff 04", new ModeSenseCommand(true));
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        if (task.cdb().byteAt(2) >> PAGE_CONTROL_SHIFT == SAVED) {
            return task.checkCondition(Sense.SAVING_PARAMETERS_NOT_SUPPORTED);
        }
        if (!pageExists(task.cdb().byteAt(2) & PAGE_CODE, task.cdb().byteAt(3), task.unit())) {
            return task.invalidField(2);
        }
        return task.wantDataIn(ten ? task.cdb().shortAt(7) : task.cdb().byteAt(4), MAX_LENGTH);
    }

    private static boolean pageExists(int page, int subpage, LogicalUnit unit) {
        for (ModePages each : ALL_PAGES) {
            if (each.selectedBy(page, subpage, unit)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit();
        ByteBuffer data = task.server().scratch(MAX_LENGTH);
        boolean longLba = ten && (task.cdb().byteAt(1) & LLBAA) != 0;
        int descriptor = (task.cdb().byteAt(1) & DBD) != 0 ? 0 : longLba ? LONG_DESCRIPTOR : SHORT_DESCRIPTOR;
        int at = ten ? 8 : 4;
        writeDescriptor(data, at, descriptor, unit);
        at += descriptor;
        ModePages.Values values = VALUES[task.cdb().byteAt(2) >> PAGE_CONTROL_SHIFT];
        for (ModePages page : ALL_PAGES) {
            if (page.selectedBy(task.cdb().byteAt(2) & PAGE_CODE, task.cdb().byteAt(3), unit)) {
                page.write(data, at, unit, values);
                at += page.length();
            }
        }
        writeHeader(data, at, descriptor, task.writeRefusal() != null);
        task.finishWithData(data, at);
    }

    private void writeHeader(ByteBuffer data, int total, int descriptor, boolean readOnly) {
        byte deviceSpecific = (byte) (DPOFUA | (readOnly ? WP : 0));
        if (ten) {
            data.putShort(0, (short) (total - 2));
            data.put(3, deviceSpecific);
            data.put(4, (byte) (descriptor == LONG_DESCRIPTOR ? LONGLBA : 0));
            data.putShort(6, (short) descriptor);
        } else {
            data.put(0, (byte) (total - 1));
            data.put(2, deviceSpecific);
            data.put(3, (byte) descriptor);
        }
    }

    /** Short: {@code blocks (4) | 0 | block length (3)}; long: {@code blocks (8) | 0 (4) | block length (4)}. */
    private static void writeDescriptor(ByteBuffer data, int at, int length, LogicalUnit unit) {
        if (length == SHORT_DESCRIPTOR) {
            data.putInt(at, (int) Math.min(unit.blocks(), 0xFFFF_FFFFL));
            data.putInt(at + 4, unit.config().blockSize());
        } else if (length == LONG_DESCRIPTOR) {
            data.putLong(at, unit.blocks());
            data.putInt(at + 12, unit.config().blockSize());
        }
    }
}
