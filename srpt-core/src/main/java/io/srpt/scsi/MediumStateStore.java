package io.srpt.scsi;

import io.srpt.store.StoreCompletion;
import org.jspecify.annotations.Nullable;

/** Where the {@link MediumState} of a disk outlives the process. */
public interface MediumStateStore {
    /** What was kept when it was opened; null when the medium is as it should be. Owner loop, or before the disk is served. */
    @Nullable
    MediumState kept();

    /**
     * Makes {@code state} durable in place of what was kept. Called on the owner loop, which it must not block; the next call
     * comes after {@code done} was called, on any thread. Unless that says OK, either may be what is kept.
     */
    void keep(@Nullable MediumState state, StoreCompletion done);
}
