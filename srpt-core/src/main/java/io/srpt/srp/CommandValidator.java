package io.srpt.srp;

/**
 * Decides whether an SRP_CMD from the wire is what it claims to be. Everything is checked against the bytes that were
 * received, in 64-bit arithmetic, before a descriptor is trusted; nothing is allocated and nothing thrown.
 */
public final class CommandValidator {
    /** Descriptors that a whole table may have: 2^16 of them describe far more than any command moves. */
    public static final int MAX_TABLE_COUNT = 1 << 16;

    /** Given as the immediate data offset when none was agreed at login. */
    public static final int NO_IMMEDIATE_DATA = 0;

    private static final int VARIABLE_LENGTH_CDB = 0x7F;
    private static final int VARIABLE_LENGTH_OFFSET = 7;
    private static final int VARIABLE_LENGTH_HEADER = 8;

    private CommandValidator() {}

    /**
     * Checks {@code command}.
     *
     * @param received bytes of the unit that came
     * @param immediateOffset where immediate data begins, {@link #NO_IMMEDIATE_DATA} if it was not agreed
     * @param maxLength the longest unit that was granted at login
     */
    public static CommandCheck validate(SrpCommand command, int received, int immediateOffset, int maxLength) {
        if (received < SrpCommand.LENGTH) {
            return CommandCheck.UNIT_TOO_SHORT;
        }
        if (command.descriptorOffset() > received) {
            return CommandCheck.CDB_TRUNCATED;
        }
        if (cdbExceedsUnit(command)) {
            return CommandCheck.CDB_LENGTH_MISMATCH;
        }
        if (command.dataOutFormat() != BufferFormat.NONE && command.dataInFormat() != BufferFormat.NONE) {
            return CommandCheck.BIDIRECTIONAL;
        }
        return switch (command.dataFormat()) {
            case BufferFormat.NONE -> CommandCheck.OK;
            case BufferFormat.DIRECT ->
                command.descriptorOffset() + DescriptorTable.DESCRIPTOR_LENGTH > received
                        ? CommandCheck.DESCRIPTOR_TRUNCATED
                        : CommandCheck.OK;
            case BufferFormat.INDIRECT -> checkIndirect(command, received);
            case BufferFormat.IMMEDIATE -> checkImmediate(command, received, immediateOffset, maxLength);
            default -> CommandCheck.BAD_FORMAT;
        };
    }

    private static boolean cdbExceedsUnit(SrpCommand command) {
        int at = command.cdbOffset();
        if ((command.buffer().get(at) & 0xFF) != VARIABLE_LENGTH_CDB) {
            return false;
        }
        int claimed = VARIABLE_LENGTH_HEADER + (command.buffer().get(at + VARIABLE_LENGTH_OFFSET) & 0xFF);
        return claimed > command.cdbLength();
    }

    private static CommandCheck checkIndirect(SrpCommand command, int received) {
        int head = command.descriptorOffset() + SrpCommand.INDIRECT_LENGTH;
        if (head > received) {
            return CommandCheck.DESCRIPTOR_TRUNCATED;
        }
        long tableCount = command.tableCount();
        if (tableCount > MAX_TABLE_COUNT) {
            return CommandCheck.TABLE_TOO_LONG;
        }
        DescriptorTable inUnit = command.descriptors();
        if (head + (long) inUnit.count() * DescriptorTable.DESCRIPTOR_LENGTH > received) {
            return CommandCheck.DESCRIPTOR_TRUNCATED;
        }
        if (inUnit.count() < tableCount) {
            return CommandCheck.PARTIAL_TABLE;
        }
        return inUnit.totalLength() < command.dataLength() ? CommandCheck.TABLE_BELOW_TOTAL : CommandCheck.OK;
    }

    private static CommandCheck checkImmediate(
            SrpCommand command, int received, int immediateOffset, int maxLength) {
        if (command.dataInFormat() != BufferFormat.NONE) {
            return CommandCheck.BAD_FORMAT;
        }
        if (immediateOffset == NO_IMMEDIATE_DATA) {
            return CommandCheck.IMMEDIATE_NOT_AGREED;
        }
        int end = command.descriptorOffset() + SrpCommand.IMMEDIATE_LENGTH;
        if (end > received) {
            return CommandCheck.DESCRIPTOR_TRUNCATED;
        }
        if (end > immediateOffset) {
            return CommandCheck.IMMEDIATE_OVERLAP;
        }
        long dataEnd = immediateOffset + command.dataLength();
        if (dataEnd > maxLength) {
            return CommandCheck.IMMEDIATE_TOO_LONG;
        }
        return dataEnd > received ? CommandCheck.IMMEDIATE_TRUNCATED : CommandCheck.OK;
    }
}
