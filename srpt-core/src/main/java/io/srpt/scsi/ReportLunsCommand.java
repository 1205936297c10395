package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * REPORT LUNS (SPC-4 §6.33): {@code list length (4) | 0 (4) | LUN (8) …}.
 *
 * <p>A target without units reports LUN 0, which always takes INQUIRY and REPORT LUNS. There are no well-known logical
 * units.
 */
final class ReportLunsCommand implements ScsiCommand {
    private static final int HEADER = 8;
    private static final int ENTRY = 8;
    private static final int MIN_ALLOCATION = 16;
    private static final int SELECT_WELL_KNOWN = 1;
    private static final int SELECT_ALL = 2;

    static void addTo(CommandTable table) {
        table.addAlwaysServed("REPORT LUNS", "a0 00 ff 00 00 00 ff ff ff ff 00 04", new ReportLunsCommand());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        long allocation = task.cdb().intAt(6);
        int select = task.cdb().byteAt(2);
        if (allocation < MIN_ALLOCATION || select > SELECT_ALL) {
            return task.invalidField(select > SELECT_ALL ? 2 : 6);
        }
        return task.wantDataIn(allocation, HEADER + (long) ENTRY * Math.max(1, seen(task)));
    }

    /** Numbers of the nexus that have a unit behind them. */
    private static int seen(ScsiTask task) {
        LunMap luns = task.server().luns();
        LunView view = task.nexus().view();
        int count = 0;
        for (int lun = 0; lun < view.limit(luns.limit()); lun++) {
            count += luns.get(view.unit(lun)) == null ? 0 : 1;
        }
        return count;
    }

    @Override
    public void execute(ScsiTask task) {
        LunMap luns = task.server().luns();
        LunView view = task.nexus().view();
        ByteBuffer data = task.server().scratch(HEADER + ENTRY * Math.max(1, seen(task)));
        int at = HEADER;
        if (task.cdb().byteAt(2) != SELECT_WELL_KNOWN) {
            for (int lun = 0; lun < view.limit(luns.limit()); lun++) {
                if (luns.get(view.unit(lun)) != null) {
                    data.putLong(at, Lun.encode(lun));
                    at += ENTRY;
                }
            }
            if (at == HEADER) {
                data.putLong(at, Lun.encode(0));
                at += ENTRY;
            }
            task.nexus().clearAttention(UnitAttention.REPORTED_LUNS_CHANGED);
        }
        data.putInt(0, at - HEADER);
        task.finishWithData(data, at);
    }
}
