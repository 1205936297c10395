package io.srpt.scsi;

import io.srpt.store.StoreUsage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches, while a thin disk is written to, how much its medium has left: the one threshold of logical block provisioning
 * (SBC-3 §4.7.3.7), fixed at a tenth of the disk. Threshold sets are those of VPD page B2h, of log page 0Ch, whose first
 * parameter is watched, and of mode page 1Ch/02h, which tells the threshold.
 *
 * <pre>
 *   armed ──as few sets are left as the threshold has, or fewer──▶ reached: unit attention for every nexus, log
 *         ◀────────────── a quarter more than that is left ───────
 * </pre>
 *
 * <p>A disk whose store does not know what is left has no threshold. Owner loop only.
 */
final class SoftThreshold {
    /** A threshold set has 2^this blocks. */
    static final int EXPONENT = 11;

    private static final Logger LOG = LoggerFactory.getLogger(SoftThreshold.class);
    private static final int PART_OF_DISK = 10;
    private static final int PART_TO_ARM_AGAIN = 4;
    private static final int LOOK_EACH_BYTES = 1 << 20;

    private long untilLook;
    private boolean reached;

    /** Whether {@code unit} has a threshold. */
    static boolean isIn(LogicalUnit unit) {
        return unit.thin() && unit.store().usage().availableBytes() != StoreUsage.UNKNOWN;
    }

    /** The threshold of {@code unit} in threshold sets. */
    static int setsOf(LogicalUnit unit) {
        return sets(unit.store().sizeBytes() / PART_OF_DISK, unit);
    }

    /** Whole threshold sets in {@code bytes}, unsigned: as many as the field can tell. */
    static int sets(long bytes, LogicalUnit unit) {
        return (int) Math.min(bytes >>> unit.blockShift() + EXPONENT, 0xFFFF_FFFFL);
    }

    /** Whether {@code bytes} that were written to {@code unit} let it reach the threshold. */
    boolean isReachedBy(LogicalUnit unit, long bytes) {
        untilLook -= bytes;
        if (untilLook > 0) {
            return false;
        }
        untilLook = LOOK_EACH_BYTES;
        if (!isIn(unit)) {
            return false;
        }
        long available = unit.store().usage().availableBytes();
        long left = Integer.toUnsignedLong(sets(available, unit));
        long threshold = Integer.toUnsignedLong(setsOf(unit));
        if (reached) {
            reached = left <= threshold + threshold / PART_TO_ARM_AGAIN;
            return false;
        }
        reached = left <= threshold;
        if (reached) {
            LOG.warn("{}: {} bytes are left on its medium, a tenth of its size or less", unit, available);
        }
        return reached;
    }
}
