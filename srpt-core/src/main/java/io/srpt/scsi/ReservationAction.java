package io.srpt.scsi;

/** The service actions of PERSISTENT RESERVE OUT; their ordinals are the codes (SPC-4 §6.16.2). */
enum ReservationAction {
    REGISTER,
    RESERVE,
    RELEASE,
    CLEAR,
    PREEMPT,
    PREEMPT_AND_ABORT,
    REGISTER_AND_IGNORE_EXISTING_KEY,
    REGISTER_AND_MOVE;

    /** The service action of a CDB. */
    int code() {
        return ordinal();
    }

    /** Whether SCOPE and TYPE of the CDB count in any case. */
    boolean hasType() {
        return this == RESERVE || this == RELEASE;
    }

    /** Whether SCOPE and TYPE of the CDB are ever looked at. */
    boolean usesType() {
        return hasType() || this == PREEMPT || this == PREEMPT_AND_ABORT;
    }

    /** Whether APTPL counts. */
    boolean registers() {
        return this == REGISTER || this == REGISTER_AND_IGNORE_EXISTING_KEY || this == REGISTER_AND_MOVE;
    }
}
