package io.srpt.scsi;

/**
 * A range of the medium in bytes that somebody works on or waits for; used again for one range after the other.
 *
 * <pre>
 *   range ──RangeLocks.admit──▶ held ──▶ given up                  the work has ended
 *              └── waits ──granted──▲ └─▶ late ──released──▶ given up    ended while the store writes
 * </pre>
 *
 * <p>Owner loop only.
 */
abstract class RangeClaim {
    private long offset;
    private long end;
    private RangeMode mode = RangeMode.READ;
    private boolean held;
    private boolean late;

    /** What is claimed from now on; not held yet. */
    final void claim(long from, long length, RangeMode as) {
        offset = from;
        end = from + length;
        mode = as;
        held = false;
    }

    final RangeMode mode() {
        return mode;
    }

    final boolean isExclusive() {
        return mode == RangeMode.EXCLUSIVE;
    }

    final boolean isHeld() {
        return held;
    }

    final void held(boolean now) {
        held = now;
    }

    final void late(boolean now) {
        late = now;
    }

    /** Whether one of the two has to wait for the other; an empty range touches nothing. */
    final boolean conflictsWith(RangeClaim other) {
        return offset < other.end
                && other.offset < end
                && offset < end
                && other.offset < other.end
                && (isExclusive() || other.isExclusive() || late || other.late);
    }

    /** The wait is over. */
    abstract void granted();
}
