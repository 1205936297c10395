package io.srpt.scsi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which logical unit is behind which LUN. Looked up without allocation; owner loop only. */
final class LunMap {
    private @Nullable LogicalUnit[] units = new @Nullable LogicalUnit[16];
    private int count;

    @Nullable
    LogicalUnit get(int lun) {
        return lun >= 0 && lun < units.length ? units[lun] : null;
    }

    void put(int lun, LogicalUnit unit) {
        if (lun < 0 || lun > Lun.MAX) {
            throw new IllegalArgumentException("LUN " + lun + " is not in 0.." + Lun.MAX);
        }
        if (get(lun) != null) {
            throw new IllegalArgumentException("LUN " + lun + " is taken by " + get(lun));
        }
        if (lun >= units.length) {
            units = Arrays.copyOf(units, Math.max(lun + 1, Math.min(units.length * 2, Lun.MAX + 1)));
        }
        units[lun] = unit;
        count++;
    }

    @Nullable
    LogicalUnit remove(int lun) {
        LogicalUnit unit = get(lun);
        if (unit != null) {
            units[lun] = null;
            count--;
        }
        return unit;
    }

    int count() {
        return count;
    }

    /** One above the highest LUN that {@link #get} may find. */
    int limit() {
        return units.length;
    }
}
