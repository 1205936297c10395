package io.srpt.scsi;

/** In which asymmetric access states a command is served (SPC-4 §5.15.2.4). Each is served where the next ones are. */
enum AccessStateRule {
    /** In each. */
    ALWAYS,
    /** In each that lasts. */
    SETTLED,
    /** In standby and the active ones. */
    STANDBY,
    /** In the active ones: it needs the medium. */
    ACTIVE;

    boolean allows(AccessState state) {
        return switch (state) {
            case ACTIVE_OPTIMIZED, ACTIVE_NON_OPTIMIZED -> true;
            case STANDBY -> this != ACTIVE;
            case UNAVAILABLE, OFFLINE -> this == ALWAYS || this == SETTLED;
            case TRANSITIONING -> this == ALWAYS;
        };
    }
}
