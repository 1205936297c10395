package io.srpt.scsi;

import org.jspecify.annotations.Nullable;

/**
 * The unit attention conditions that one logical unit has pending for one nexus.
 *
 * <p>Each condition is pending at most once, so the queue is a set of bits in the order of {@link UnitAttention} and
 * cannot grow. Owner loop only.
 */
final class UnitAttentionQueue {
    private static final UnitAttention[] BY_PRECEDENCE = UnitAttention.values();

    private int pending;

    void establish(UnitAttention attention) {
        int bit = 1 << attention.ordinal();
        if (attention.isReset()) {
            if ((pending & (bit - 1)) != 0) {
                return;
            }
            pending = bit;
            return;
        }
        pending |= bit;
    }

    /** The most important condition, which is then no longer pending; null when there is none. */
    @Nullable
    UnitAttention poll() {
        if (pending == 0) {
            return null;
        }
        int ordinal = Integer.numberOfTrailingZeros(pending);
        pending &= pending - 1;
        return BY_PRECEDENCE[ordinal];
    }

    void clear(UnitAttention attention) {
        pending &= ~(1 << attention.ordinal());
    }

    boolean isEmpty() {
        return pending == 0;
    }
}
