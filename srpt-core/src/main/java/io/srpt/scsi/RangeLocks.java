package io.srpt.scsi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may work on which blocks of one unit. Two kinds of claims keep others off their range: those of tasks that must be alone
 * there ({@link RangeMode#EXCLUSIVE}), and late writes. A write is late that was ended, by task management or because its
 * channel is gone, while the store worked on it: it may still reach the medium, though its initiator was told that it has
 * ended, so that what comes after it must not be overtaken by it.
 *
 * <pre>
 *   admit ──nobody who keeps others off, or waits to, touches the range──▶ held ──▶ ended
 *     └──────── waits, in the order of arrival ───────────────────────────▲
 * </pre>
 *
 * <p>Who waits keeps those off who came later and conflict with it, so that readers cannot starve a COMPARE AND WRITE. As long
 * as nobody keeps others off, a claim costs a look at a number. Owner loop only.
 */
final class RangeLocks {
    private final TaskSet tasks;
    private final LogicalUnitCounters counters;
    private final List<RangeClaim> late = new ArrayList<>(0);
    private final List<RangeClaim> exclusive = new ArrayList<>(0);
    private final List<RangeClaim> waiting = new ArrayList<>(0);
    /** Members of the three lists. */
    private int guards;

    private boolean waking;

    /** The locks of the unit whose tasks are in {@code tasks}. */
    RangeLocks(TaskSet tasks, LogicalUnitCounters counters) {
        this.tasks = tasks;
        this.counters = counters;
    }

    /** Whether {@code claim} is held from now on; else it is {@link RangeClaim#granted()} later, unless it ends before. */
    boolean admit(RangeClaim claim) {
        if (guards == 0 && !claim.isExclusive()) {
            claim.held(true);
            return true;
        }
        if (isBlocked(claim, waiting.size())) {
            waiting.add(claim);
            guards++;
            counters.heldBack.increment();
            return false;
        }
        hold(claim);
        return true;
    }

    private void hold(RangeClaim claim) {
        claim.held(true);
        if (claim.isExclusive()) {
            exclusive.add(claim);
            guards++;
        }
    }

    private boolean isBlocked(RangeClaim claim, int older) {
        return conflicts(claim, late, late.size())
                || conflicts(claim, waiting, older)
                || (claim.isExclusive() ? touchesTask(claim) : conflicts(claim, exclusive, exclusive.size()));
    }

    private static boolean conflicts(RangeClaim claim, List<RangeClaim> others, int count) {
        for (int i = 0; i < count; i++) {
            if (others.get(i).conflictsWith(claim)) {
                return true;
            }
        }
        return false;
    }

    private boolean touchesTask(RangeClaim claim) {
        for (@Nullable ScsiTask task = tasks.first(); task != null; task = task.nextInSet) {
            RangeClaim other = task.store();
            if (other != claim && other.isHeld() && other.conflictsWith(claim)) {
                return true;
            }
        }
        return false;
    }

    /** {@code claim} is given up, whether it was held or waited; {@link #wake()} belongs after it. */
    void end(RangeClaim claim) {
        claim.held(false);
        if (guards != 0) {
            guards -= (exclusive.remove(claim) ? 1 : 0) + (waiting.remove(claim) ? 1 : 0);
        }
    }

    /** The task of {@code claim} has ended, but the store still writes for it. */
    void endLate(RangeClaim claim) {
        end(claim);
        claim.late(true);
        late.add(claim);
        guards++;
    }

    /** The store is through with a claim whose task had ended before, late or not; {@link #wake()} belongs after it. */
    void release(RangeClaim claim) {
        if (guards != 0 && late.remove(claim)) {
            claim.late(false);
            guards--;
        }
    }

    boolean hasLate() {
        return !late.isEmpty();
    }

    /** Lets those go on who need not wait any more. */
    void wake() {
        if (waiting.isEmpty() || waking || tasks.isFrozen()) {
            return;
        }
        waking = true;
        try {
            for (int i = 0; i < waiting.size(); ) {
                RangeClaim next = waiting.get(i);
                if (isBlocked(next, i)) {
                    i++;
                } else {
                    waiting.remove(i);
                    guards--;
                    hold(next);
                    next.granted();
                    i = 0; // anything may have ended and come meanwhile
                }
            }
        } finally {
            waking = false;
        }
    }
}
