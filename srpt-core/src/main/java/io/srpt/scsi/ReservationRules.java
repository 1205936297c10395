package io.srpt.scsi;

import org.jspecify.annotations.Nullable;

/** The {@link ReservationRule} of every command, by operation code and service action. */
final class ReservationRules {
    private ReservationRules() {}

    /**
     * The rule of a command; null for one that is not known here, which no command of the {@link CommandTable} may be.
     *
     * @param serviceAction {@link CommandDescriptor#NO_SERVICE_ACTION} without one
     */
    static @Nullable ReservationRule find(int operationCode, int serviceAction) {
        return switch (operationCode) {
            case 0x12, 0x03, 0xA0 -> ReservationRule.ALWAYS; // INQUIRY, REQUEST SENSE, REPORT LUNS
            case 0x4D, 0x25 -> ReservationRule.ALWAYS; // LOG SENSE, READ CAPACITY(10)
            case 0x00 -> ReservationRule.READY; // TEST UNIT READY
            case 0x08, 0x28, 0xA8, 0x88 -> ReservationRule.READ; // READ
            case 0x2F, 0xAF, 0x8F, 0x34, 0x90 -> ReservationRule.READ; // VERIFY, PRE-FETCH
            case 0x1A, 0x5A, 0x3C -> ReservationRule.READ; // MODE SENSE, READ BUFFER
            case 0x01, 0x37, 0xB7 -> ReservationRule.READ; // REZERO UNIT, READ DEFECT DATA
            case 0x0A, 0x2A, 0xAA, 0x8A, 0x9C -> ReservationRule.WRITE; // WRITE, WRITE ATOMIC
            case 0x2E, 0xAE, 0x8E, 0x89, 0x8B -> ReservationRule.WRITE; // WRITE AND VERIFY, COMPARE AND WRITE, ORWRITE
            case 0x41, 0x93, 0x42, 0x35, 0x91 -> ReservationRule.WRITE; // WRITE SAME, UNMAP, SYNCHRONIZE CACHE
            case 0x04, 0x48 -> ReservationRule.WRITE; // FORMAT UNIT, SANITIZE
            case 0x15, 0x55, 0x3B, 0x1D -> ReservationRule.WRITE; // MODE SELECT, WRITE BUFFER, SEND DIAGNOSTIC
            case 0x0B, 0x2B -> ReservationRule.WRITE; // SEEK
            case 0x83, 0x84 -> ReservationRule.WRITE; // EXTENDED COPY, RECEIVE COPY RESULTS
            case 0x1B -> ReservationRule.START_STOP_UNIT;
            case 0x1E -> ReservationRule.PREVENT_ALLOW;
            case 0x5E, 0x5F -> ReservationRule.PERSISTENT;
            case 0x16, 0x17, 0x56, 0x57 -> ReservationRule.RESERVE;
            case 0x9E -> serviceActionIn(serviceAction);
            case 0xA3 -> maintenanceIn(serviceAction);
            case 0xA4 -> serviceAction == 0x0A ? ReservationRule.WRITE : null; // SET TARGET PORT GROUPS
            case 0x7F -> variableLength(serviceAction);
            default -> null;
        };
    }

    private static @Nullable ReservationRule serviceActionIn(int serviceAction) {
        return switch (serviceAction) {
            case 0x10 -> ReservationRule.ALWAYS; // READ CAPACITY(16)
            case 0x12 -> ReservationRule.READ; // GET LBA STATUS
            default -> null;
        };
    }

    private static @Nullable ReservationRule maintenanceIn(int serviceAction) {
        return switch (serviceAction) {
            case 0x0A, 0x0F -> ReservationRule.ALWAYS; // REPORT TARGET PORT GROUPS, REPORT TIMESTAMP
            case 0x0C, 0x0D -> ReservationRule.READ; // REPORT SUPPORTED OPERATION CODES, and TASK MANAGEMENT FUNCTIONS
            default -> null;
        };
    }

    private static @Nullable ReservationRule variableLength(int serviceAction) {
        return switch (serviceAction) {
            case 0x09, 0x0A -> ReservationRule.READ; // READ(32), VERIFY(32)
            case 0x0B, 0x0C, 0x0D, 0x0E, 0x0F -> ReservationRule.WRITE; // WRITE(32) and its like, WRITE SAME(32)
            default -> null;
        };
    }
}
