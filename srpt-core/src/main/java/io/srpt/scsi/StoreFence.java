package io.srpt.scsi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps late writes of one unit from doing harm. A write that is ended while the store works on it (by task management, or
 * because its channel is gone) may still reach the medium. Its initiator is told at once that it has ended, so what comes
 * after it must not be overtaken by it: reads and writes that touch a block of a late write, of any nexus, are held back
 * here until the store lets go of it.
 *
 * <pre>
 *   storeRead, storeWrite ──no late write touches these blocks──▶ store
 *            └────────────── held back, in order ──────────────────▲  the late write ended
 * </pre>
 *
 * <p>As long as no write is late it costs a look at an empty list. Owner loop only.
 */
final class StoreFence {
    private final List<ScsiTask> late = new ArrayList<>();
    private final ArrayDeque<ScsiTask> heldBack = new ArrayDeque<>();

    /** Whether {@code task}, about to enter the store, was held back; it is resumed later unless it ends before. */
    boolean holdsBack(ScsiTask task) {
        if (late.isEmpty() || !conflicts(task)) {
            return false;
        }
        heldBack.add(task);
        task.unit().counters().heldBack.increment();
        return true;
    }

    private boolean conflicts(ScsiTask task) {
        for (ScsiTask write : late) {
            if (write.storeTouchesBlocksOf(task)) {
                return true;
            }
        }
        return false;
    }

    /** {@code task} was ended: if the store is writing for it, the write is late from now on. */
    void onEnded(ScsiTask task) {
        if (task.isStoreWriting()) {
            late.add(task);
        } else if (!heldBack.isEmpty()) {
            heldBack.remove(task);
        }
    }

    /** The store let go of {@code task}, which was ended before. */
    void onReleased(ScsiTask task) {
        if (!late.remove(task)) {
            return;
        }
        // One pass: who is held back again waits for another late write, and keeps its place.
        for (int remaining = heldBack.size(); remaining > 0 && !heldBack.isEmpty(); remaining--) {
            ScsiTask next = heldBack.remove();
            if (conflicts(next)) {
                heldBack.add(next);
            } else {
                next.enterStore();
            }
        }
    }
}
