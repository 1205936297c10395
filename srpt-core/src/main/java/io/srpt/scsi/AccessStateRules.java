package io.srpt.scsi;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The asymmetric access states in which each command is served. What a state must allow is SPC-4's; READ CAPACITY and the
 * reports are served in standby too, for hosts want to know a disk before they need it.
 */
final class AccessStateRules {
    private static final int ANY_SERVICE_ACTION = -1;
    private static final Map<Integer, AccessStateRule> RULES = new HashMap<>();

    static {
        // INQUIRY, REQUEST SENSE, REPORT LUNS
        put(AccessStateRule.ALWAYS, 0x12, 0x03, 0xA0);
        // REPORT TARGET PORT GROUPS
        putAction(AccessStateRule.ALWAYS, 0xA3, 0x0A);
        // SET TARGET PORT GROUPS, which ends what it is served in
        putAction(AccessStateRule.SETTLED, 0xA4, 0x0A);
        // READ BUFFER, WRITE BUFFER
        put(AccessStateRule.SETTLED, 0x3C, 0x3B);
        // MODE SENSE, MODE SELECT, LOG SENSE, LOG SELECT
        put(AccessStateRule.STANDBY, 0x1A, 0x5A, 0x15, 0x55, 0x4D, 0x4C);
        // SEND DIAGNOSTIC, RECEIVE DIAGNOSTIC RESULTS, PERSISTENT RESERVE IN and OUT, READ CAPACITY(10)
        put(AccessStateRule.STANDBY, 0x1D, 0x1C, 0x5E, 0x5F, 0x25);
        // READ CAPACITY(16)
        putAction(AccessStateRule.STANDBY, 0x9E, 0x10);
        // REPORT SUPPORTED OPERATION CODES and TASK MANAGEMENT FUNCTIONS, REPORT TIMESTAMP
        putAction(AccessStateRule.STANDBY, 0xA3, 0x0C, 0x0D, 0x0F);
        // TEST UNIT READY, REZERO UNIT, SEEK, FORMAT UNIT, START STOP UNIT, PREVENT ALLOW, SANITIZE
        put(AccessStateRule.ACTIVE, 0x00, 0x01, 0x0B, 0x2B, 0x04, 0x1B, 0x1E, 0x48);
        // READ, WRITE
        put(AccessStateRule.ACTIVE, 0x08, 0x28, 0xA8, 0x88, 0x0A, 0x2A, 0xAA, 0x8A);
        // VERIFY, WRITE AND VERIFY
        put(AccessStateRule.ACTIVE, 0x2F, 0xAF, 0x8F, 0x2E, 0xAE, 0x8E);
        // WRITE SAME, COMPARE AND WRITE, ORWRITE, WRITE ATOMIC, UNMAP
        put(AccessStateRule.ACTIVE, 0x41, 0x93, 0x89, 0x8B, 0x9C, 0x42);
        putAction(AccessStateRule.ACTIVE, 0x7F, 0x0D);
        // SYNCHRONIZE CACHE, PRE-FETCH, READ DEFECT DATA, GET LBA STATUS
        put(AccessStateRule.ACTIVE, 0x35, 0x91, 0x34, 0x90, 0x37, 0xB7);
        putAction(AccessStateRule.ACTIVE, 0x9E, 0x12);
        // RESERVE, RELEASE, EXTENDED COPY, RECEIVE COPY RESULTS
        put(AccessStateRule.ACTIVE, 0x16, 0x56, 0x17, 0x57, 0x83, 0x84);
    }

    private AccessStateRules() {}

    private static void put(AccessStateRule rule, int... operationCodes) {
        for (int operationCode : operationCodes) {
            RULES.put(key(operationCode, ANY_SERVICE_ACTION), rule);
        }
    }

    private static void putAction(AccessStateRule rule, int operationCode, int... serviceActions) {
        for (int serviceAction : serviceActions) {
            RULES.put(key(operationCode, serviceAction), rule);
        }
    }

    private static int key(int operationCode, int serviceAction) {
        return operationCode << 16 | serviceAction & 0xFFFF;
    }

    /** The rule of a command, null for one that is not in the table. */
    static @Nullable AccessStateRule find(int operationCode, int serviceAction) {
        AccessStateRule rule = RULES.get(key(operationCode, serviceAction));
        return rule == null ? RULES.get(key(operationCode, ANY_SERVICE_ACTION)) : rule;
    }

    /** The rule of a command; one that is not in the table is taken for one that needs the medium. */
    static AccessStateRule of(int operationCode, int serviceAction) {
        AccessStateRule rule = find(operationCode, serviceAction);
        return rule == null ? AccessStateRule.ACTIVE : rule;
    }
}
