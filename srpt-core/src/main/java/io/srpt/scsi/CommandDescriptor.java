package io.srpt.scsi;

/**
 * One line of the {@link CommandTable}.
 *
 * @param operationCode byte 0 of the CDB
 * @param serviceAction bits 4..0 of byte 1 (bytes 8 and 9 of operation code 7Fh), or {@link #NO_SERVICE_ACTION}
 * @param usage the CDB usage data of REPORT SUPPORTED OPERATION CODES: a bit is 1 where the device server looks at it; its
 *     length is that of the CDB
 * @param reservationRule how it stands to reservations of others
 * @param alwaysServed whether it is served with a unit attention pending and for a LUN that does not exist
 * @param accessStateRule in which asymmetric access states it is served
 */
record CommandDescriptor(
        String name,
        int operationCode,
        int serviceAction,
        byte[] usage,
        ReservationRule reservationRule,
        boolean alwaysServed,
        AccessStateRule accessStateRule,
        ScsiCommand command) {
    static final int NO_SERVICE_ACTION = -1;

    /** Operation code of CDBs that say their length themselves. */
    static final int VARIABLE_LENGTH = 0x7F;

    int cdbLength() {
        return usage.length;
    }

    /** Where the control byte is: the last one, but for CDBs of variable length. */
    int controlOffset() {
        return operationCode == VARIABLE_LENGTH ? 1 : usage.length - 1;
    }

    boolean hasServiceAction() {
        return serviceAction != NO_SERVICE_ACTION;
    }
}
