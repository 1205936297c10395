package io.srpt.scsi;

import io.srpt.store.StoreUsage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches what is left for a thin disk, while it is written to (logical block provisioning threshold, SBC-3 §4.7.3.7).
 *
 * <pre>
 *   armed ──less is left than a tenth of the disk, and than its unmapped blocks would take──▶ reached: unit attention, log
 *         ◀──────────────────────────────── more is left again ────────────────────────────
 * </pre>
 *
 * <p>Owner loop only.
 */
final class SoftThreshold {
    private static final Logger LOG = LoggerFactory.getLogger(SoftThreshold.class);
    private static final int PART_OF_DISK = 10;
    private static final int LOOK_EACH_BYTES = 1 << 20;

    private long untilLook;
    private boolean reached;

    /** Whether {@code bytes} that were written to {@code unit} let it reach the threshold. */
    boolean isReachedBy(LogicalUnit unit, long bytes) {
        untilLook -= bytes;
        if (untilLook > 0 || !unit.thin()) {
            return false;
        }
        untilLook = LOOK_EACH_BYTES;
        boolean before = reached;
        reached = isLittleLeft(unit);
        if (reached && !before) {
            LOG.warn(
                    "{} runs out of space: {} bytes are left on its medium",
                    unit,
                    unit.store().usage().availableBytes());
        }
        return reached && !before;
    }

    private static boolean isLittleLeft(LogicalUnit unit) {
        StoreUsage usage = unit.store().usage();
        long available = usage.availableBytes();
        long size = unit.store().sizeBytes();
        long wanted = size - Math.max(0, usage.allocatedBytes());
        return available >= 0 && available < Math.min(size / PART_OF_DISK, wanted);
    }
}
