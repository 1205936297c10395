package io.srpt.service;

import io.srpt.scsi.LogicalUnit;
import io.srpt.store.ByteSize;
import io.srpt.store.StoreSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds out which disks come, go and grow. */
final class LunChanges {
    private final Map<Integer, LogicalUnit> running;
    private final List<Change> additions = new ArrayList<>();
    private final List<Change> growths = new ArrayList<>();
    private final List<Change> removals = new ArrayList<>();
    private final List<String> needsRestart = new ArrayList<>();
    private final Map<Integer, LunConfiguration> result = new TreeMap<>();

    /** From {@code before}, of which the units are {@code running}, to {@code after}. */
    LunChanges(List<LunConfiguration> before, List<LunConfiguration> after, Map<Integer, LogicalUnit> running) {
        this.running = running;
        Map<Integer, LunConfiguration> old = new TreeMap<>();
        before.forEach(lun -> old.put(lun.lun(), lun));
        for (LunConfiguration lun : after) {
            LunConfiguration same = old.remove(lun.lun());
            if (same == null) {
                add(lun);
            } else {
                result.put(lun.lun(), compared(same, lun));
            }
        }
        old.keySet()
                .forEach(lun -> removals.add(Change.simple(
                        "lun " + lun + ": taken away", server -> server.disks().remove(lun))));
    }

    private void add(LunConfiguration lun) {
        result.put(lun.lun(), lun);
        Addition addition = new Addition(lun);
        additions.add(
                new Change("lun " + lun.lun() + ": added", addition::open, addition::show, server -> addition.close()));
    }

    /** What will run of a LUN that is there before and after. */
    private LunConfiguration compared(LunConfiguration before, LunConfiguration after) {
        if (before.equals(after)) {
            return after;
        }
        LogicalUnit unit = running.get(after.lun());
        String lun = "lun " + after.lun();
        if (unit == null || !before.equals(withSizeOf(after, before.store()))) {
            needsRestart.add(lun + ": another disk, or the same with other fields; or take it away and add it again");
            return before;
        }
        long has = unit.store().sizeBytes();
        long wanted = StoreSizes.of(after.store());
        if (wanted == 0 || wanted == has) {
            return after;
        }
        String sizes = ByteSize.format(has) + " to " + ByteSize.format(wanted);
        if (wanted < has) {
            needsRestart.add(lun + ": from " + sizes + "; a disk does not shrink while it runs");
            return before;
        }
        growths.add(Change.forGood(
                lun + ": grown from " + sizes, server -> server.disks().grow(after.lun(), wanted)));
        return after;
    }

    private static LunConfiguration withSizeOf(LunConfiguration lun, StoreSpec store) {
        return lun.withStore(StoreSizes.with(lun.store(), StoreSizes.of(store)));
    }

    /** Can be undone. */
    List<Change> additions() {
        return additions;
    }

    /** Cannot be undone, so that they belong behind all others that may fail. */
    List<Change> growths() {
        return growths;
    }

    List<Change> removals() {
        return removals;
    }

    List<String> needsRestart() {
        return needsRestart;
    }

    /** What runs after the changes. */
    List<LunConfiguration> result() {
        return List.copyOf(result.values());
    }

    /** A disk on its way. */
    private static final class Addition {
        private final LunConfiguration lun;
        private @Nullable LogicalUnit unit;

        Addition(LunConfiguration lun) {
            this.lun = lun;
        }

        void open(SrptServer server) throws ServiceException {
            unit = server.disks().open(lun);
        }

        void show(SrptServer server) throws ServiceException {
            if (unit != null) {
                server.disks().add(lun.lun(), unit);
            }
        }

        void close() {
            if (unit != null) {
                unit.store().close();
            }
        }
    }
}
