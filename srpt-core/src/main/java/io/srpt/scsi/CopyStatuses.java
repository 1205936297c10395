package io.srpt.scsi;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one nexus that RECEIVE COPY RESULTS can be asked about: those that run, and for a while those that have
 * ended. Owner loop only.
 */
final class CopyStatuses {
    static final long KEPT_NANOS = 2_000_000_000L;
    private static final int MAX_KEPT = 256;

    private final ArrayDeque<CopyStatus> latest = new ArrayDeque<>(0);
    private final LongSupplier nanoTime;

    CopyStatuses(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A list identifier that was used before means this copy from now on. */
    void put(CopyStatus status) {
        latest.removeIf(other -> other.listId() == status.listId() || isOld(other));
        latest.addFirst(status);
        if (latest.size() > MAX_KEPT) {
            latest.removeLast();
        }
    }

    @Nullable
    CopyStatus find(int listId) {
        for (CopyStatus each : latest) {
            if (each.listId() == listId) {
                return isOld(each) ? null : each;
            }
        }
        return null;
    }

    private boolean isOld(CopyStatus status) {
        return status.ended() && nanoTime.getAsLong() - status.endedAt() > KEPT_NANOS;
    }
}
