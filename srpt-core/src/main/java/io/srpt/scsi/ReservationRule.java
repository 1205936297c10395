package io.srpt.scsi;

/**
 * Whether a command is served in the presence of reservations of another nexus (SPC-4 table 34, SBC-3 table 9, SPC-2 table 10
 * for RESERVE); {@link ReservationRules} says which rule a command has.
 *
 * <pre>
 *                   Write Exclusive   Exclusive Access   RESERVE of another
 *   ALWAYS          served            served             served
 *   READY           served            served             conflict
 *   READ            served            conflict           conflict
 *   WRITE           conflict          conflict           conflict
 *   START_STOP_UNIT ALWAYS to start, else WRITE
 *   PREVENT_ALLOW   ALWAYS to allow, else WRITE
 *   PERSISTENT      served            served             conflict, even with the nexus's own RESERVE
 *   RESERVE         the command decides itself
 * </pre>
 *
 * <p>The columns are for nexuses that neither hold the persistent reservation nor, where its type is for registrants, are
 * registered.
 */
enum ReservationRule {
    ALWAYS,
    READY,
    READ,
    WRITE,
    START_STOP_UNIT,
    PREVENT_ALLOW,
    PERSISTENT,
    RESERVE;

    private static final int POWER_CONDITION = 0xF0;
    private static final int START = 0x01;
    private static final int PREVENT = 0x03;

    /** Whether {@code task} is served though another nexus has a persistent reservation of {@code type}. */
    boolean servedBeside(ReservationType type, ScsiTask task) {
        return switch (this) {
            case ALWAYS, READY, PERSISTENT, RESERVE -> true;
            case READ -> !type.exclusiveAccess();
            case WRITE -> false;
            case START_STOP_UNIT, PREVENT_ALLOW -> isHarmless(task);
        };
    }

    /** Whether {@code task} is served though there is a RESERVE; {@code own}: of its own nexus. */
    boolean servedBesideReserve(boolean own, ScsiTask task) {
        return switch (this) {
            case ALWAYS, RESERVE -> true;
            case READY, READ, WRITE -> own;
            case START_STOP_UNIT, PREVENT_ALLOW -> own || isHarmless(task);
            case PERSISTENT -> false;
        };
    }

    private boolean isHarmless(ScsiTask task) {
        int flags = task.cdb().byteAt(4);
        return this == PREVENT_ALLOW ? (flags & PREVENT) == 0 : (flags & (POWER_CONDITION | START)) == START;
    }
}
