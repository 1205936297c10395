package io.srpt.scsi;

import io.srpt.store.StoreCompletion;

/**
 * Where the registrations and the reservation of a disk outlive the process (APTPL, "persist through power loss"). A disk
 * without one refuses APTPL, and says so in REPORT CAPABILITIES.
 */
public interface ReservationStore {
    /** What was kept when it was opened. Owner loop, or before the disk is served. */
    ReservationState kept();

    /**
     * Makes {@code state} durable in place of what was kept, or durably keeps nothing if it is not
     * {@link ReservationState#persistent()}. Called on the owner loop, which it must not block; the next call comes after
     * {@code done} was called, on any thread. Unless that says OK, either state may be what is kept.
     */
    void keep(ReservationState state, StoreCompletion done);
}
