package io.srpt.initiator;

import java.nio.ByteBuffer;

/**
 * The information units in a session's control memory, written and read in place at absolute offsets (SRP r16a §6; the
 * immediate form is SRP-2's).
 *
 * <p>Threads: the session's loop.
 */
final class InformationUnits {
    static final int COMMAND_LENGTH = 48;
    static final int TASK_MANAGEMENT_LENGTH = 48;
    static final int ANSWER_LENGTH = 16;
    static final int RESPONSE_LENGTH = 36;
    static final int DESCRIPTOR_LENGTH = 16;
    /** Table descriptor and total length of an indirect buffer. */
    static final int INDIRECT_LENGTH = 20;
    static final int MIN_LENGTH = 16;

    static final int TASK_MANAGEMENT = 0x01;
    static final int COMMAND = 0x02;
    static final int CREDIT_RESPONSE = 0x41;
    static final int ASYNCHRONOUS_EVENT_RESPONSE = 0x42;
    static final int TARGET_LOGOUT = 0x80;
    static final int CREDIT_REQUEST = 0x81;
    static final int ASYNCHRONOUS_EVENT_REQUEST = 0x82;
    static final int RESPONSE = 0xC1;

    static final int FORMAT_DIRECT = 1;
    static final int FORMAT_INDIRECT = 2;
    static final int FORMAT_IMMEDIATE = 3;

    static final int READ_16 = 0x88;
    static final int WRITE_16 = 0x8A;

    private static final int DELTA = 4;
    private static final int FORMATS = 5;
    private static final int TAG = 8;
    private static final int LUN = 20;
    private static final int FLAGS = 18;
    private static final int STATUS = 19;
    private static final int OUT_RESIDUAL = 20;
    private static final int IN_RESIDUAL = 24;
    private static final int SENSE_LENGTH = 28;
    private static final int RESPONSE_DATA_LENGTH = 32;
    private static final int ATTRIBUTE = 29;
    private static final int TASK_FUNCTION = 30;
    private static final int ADDITIONAL_CDB = 31;
    private static final int CDB = 32;
    private static final int TASK_TAG = 32;

    private static final int RESPONSE_VALID = 1;
    private static final int SENSE_VALID = 1 << 1;
    private static final int OUT_OVER = 1 << 2;
    private static final int OUT_UNDER = 1 << 3;
    private static final int IN_OVER = 1 << 4;
    private static final int IN_UNDER = 1 << 5;

    private final ByteBuffer buffer;

    InformationUnits(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    void clearCommand(int offset) {
        clear(offset, COMMAND_LENGTH);
        buffer.put(offset, (byte) COMMAND);
    }

    void tag(int offset, long tag) {
        buffer.putLong(offset + TAG, tag);
    }

    long tag(int offset) {
        return buffer.getLong(offset + TAG);
    }

    void lun(int offset, long lun) {
        buffer.putLong(offset + LUN, lun);
    }

    long lun(int offset) {
        return buffer.getLong(offset + LUN);
    }

    void taskAttribute(int offset, int attribute) {
        buffer.put(offset + ATTRIBUTE, (byte) attribute);
    }

    void cdb(int offset, byte[] cdb, int length, int additional) {
        clear(offset + CDB, 16);
        for (int index = 16; index < 16 + additional; index++) {
            buffer.put(offset + CDB + index, (byte) 0);
        }
        buffer.put(offset + CDB, cdb, 0, length);
        buffer.put(offset + ADDITIONAL_CDB, (byte) additional);
    }

    void blockCdb(int offset, int operation, long lba, int blocks) {
        buffer.putShort(offset + CDB, (short) (operation << 8));
        buffer.putLong(offset + CDB + 2, lba);
        buffer.putInt(offset + CDB + 10, blocks);
        buffer.putShort(offset + CDB + 14, (short) 0);
    }

    void formats(int offset, int formats, int outCount, int inCount) {
        buffer.put(offset + FORMATS, (byte) formats);
        buffer.put(offset + FORMATS + 1, (byte) outCount);
        buffer.put(offset + FORMATS + 2, (byte) inCount);
    }

    void descriptor(int offset, long address, int key, int length) {
        buffer.putLong(offset, address);
        buffer.putInt(offset + 8, key);
        buffer.putInt(offset + 12, length);
    }

    void totalLength(int offset, int length) {
        buffer.putInt(offset, length);
    }

    void immediateLength(int offset, int length) {
        buffer.putInt(offset, length);
    }

    void taskManagement(int offset, long tag, SrpTaskFunction function, long lun, long taskTag) {
        clear(offset, TASK_MANAGEMENT_LENGTH);
        buffer.put(offset, (byte) TASK_MANAGEMENT);
        buffer.putLong(offset + TAG, tag);
        buffer.putLong(offset + LUN, lun);
        buffer.put(offset + TASK_FUNCTION, (byte) function.code());
        buffer.putLong(offset + TASK_TAG, taskTag);
    }

    /** Turns a request of the target into the answer to it: same tag, type {@code type}. */
    void answer(int offset, int type) {
        long tag = tag(offset);
        buffer.putLong(offset, (long) type << 56);
        buffer.putLong(offset + TAG, tag);
    }

    int type(int offset) {
        return buffer.get(offset) & 0xFF;
    }

    /** The request limit delta of a message of the target. */
    int delta(int offset) {
        return buffer.getInt(offset + DELTA);
    }

    /** Whether the lengths inside an SRP_RSP fit what was received. */
    boolean isResponseSound(int offset, int received) {
        if (received < RESPONSE_LENGTH) {
            return false;
        }
        long end = RESPONSE_LENGTH + responseDataLength(offset) + senseLength(offset);
        return end <= received;
    }

    boolean hasResponseData(int offset) {
        return (flags(offset) & RESPONSE_VALID) != 0;
    }

    int scsiStatus(int offset) {
        return buffer.get(offset + STATUS) & 0xFF;
    }

    /** The response code; "failed" (5) if response data is announced but too short to hold one. */
    int responseCode(int offset, int received) {
        if (!hasResponseData(offset)) {
            return 0;
        }
        boolean present = responseDataLength(offset) >= 4 && received >= RESPONSE_LENGTH + 4;
        return present ? buffer.get(offset + RESPONSE_LENGTH + 3) & 0xFF : 5;
    }

    int residual(int offset) {
        int flags = flags(offset);
        if ((flags & IN_UNDER) != 0) {
            return buffer.getInt(offset + IN_RESIDUAL);
        }
        if ((flags & OUT_UNDER) != 0) {
            return buffer.getInt(offset + OUT_RESIDUAL);
        }
        if ((flags & IN_OVER) != 0) {
            return -buffer.getInt(offset + IN_RESIDUAL);
        }
        return (flags & OUT_OVER) != 0 ? -buffer.getInt(offset + OUT_RESIDUAL) : 0;
    }

    /** Copies the sense data and returns how much there is. */
    int copySense(int offset, int received, byte[] target) {
        long start = RESPONSE_LENGTH + responseDataLength(offset);
        long length = Math.min(senseLength(offset), Math.min(target.length, received - start));
        if (length <= 0) {
            return 0;
        }
        buffer.get(offset + (int) start, target, 0, (int) length);
        return (int) length;
    }

    private int flags(int offset) {
        return buffer.get(offset + FLAGS);
    }

    private long senseLength(int offset) {
        return (flags(offset) & SENSE_VALID) == 0 ? 0 : buffer.getInt(offset + SENSE_LENGTH) & 0xFFFF_FFFFL;
    }

    private long responseDataLength(int offset) {
        return hasResponseData(offset) ? buffer.getInt(offset + RESPONSE_DATA_LENGTH) & 0xFFFF_FFFFL : 0;
    }

    private void clear(int offset, int length) {
        for (int index = 0; index < length; index += 8) {
            buffer.putLong(offset + index, 0);
        }
    }
}
