package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * FORMAT UNIT (SBC-3 §5.4): every block becomes zeros, and deallocated on a thin disk. Without protection information, defect
 * lists and initialization patterns; with IMMED it goes on after its status.
 */
final class FormatCommand implements ScsiCommand {
    private static final int PROTECTION = 0xC0;
    private static final int LONG_LIST = 0x20;
    private static final int PARAMETERS = 0x10;
    private static final int DEFECT_LIST_FORMAT = 0x07;
    private static final int IMMED = 0x02;
    private static final int PATTERN = 0x08;
    private static final int SHORT_HEADER = 4;
    private static final int LONG_HEADER = 8;

    static void addTo(CommandTable table) {
        table.add("FORMAT UNIT", "04 f7 00 00 00 04", new FormatCommand());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        int flags = task.cdb().byteAt(1);
        Sense wrong = (flags & PROTECTION) != 0 || (flags & PARAMETERS) != 0 && (flags & DEFECT_LIST_FORMAT) != 0
                ? Sense.INVALID_FIELD_IN_CDB
                : task.writeRefusal();
        if (wrong != null) {
            return task.checkCondition(wrong);
        }
        if ((flags & PARAMETERS) == 0) {
            return TaskPhase.READY;
        }
        int header = (flags & LONG_LIST) != 0 ? LONG_HEADER : SHORT_HEADER;
        return task.dataOutLength() < header
                ? task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR)
                : task.wantDataOut(header);
    }

    @Override
    public void execute(ScsiTask task) {
        boolean immediate = false;
        if (task.dataLength() > 0) {
            ByteBuffer list = task.parameterList();
            boolean longList = list.capacity() == LONG_HEADER;
            int defects = longList ? list.getInt(4) : list.getShort(2);
            boolean protection = (list.get(0) & 0x07) != 0 || longList && list.get(3) != 0;
            if (defects != 0 || protection || (list.get(1) & PATTERN) != 0) {
                task.checkCondition(Sense.INVALID_FIELD_IN_PARAMETER_LIST);
                return;
            }
            immediate = (list.get(1) & IMMED) != 0;
        }
        MediumOperation.erase(task, MediumState.Kind.FORMAT, false).begin(task, immediate);
    }
}
