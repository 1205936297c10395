package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * Writes CDBs, for those who send commands. Each method writes 16 bytes at {@code offset}, zero behind the CDB, and returns
 * the CDB's length. Allocates nothing.
 */
public final class CdbEncoder {
    /** Bytes that every method writes. */
    public static final int LENGTH = 16;

    private static final int FUA = 0x08;

    private CdbEncoder() {}

    private static ByteBuffer begin(ByteBuffer to, int offset, int operationCode) {
        return to.putLong(offset, 0).putLong(offset + 8, 0).put(offset, (byte) operationCode);
    }

    public static int testUnitReady(ByteBuffer to, int offset) {
        begin(to, offset, 0x00);
        return 6;
    }

    public static int requestSense(ByteBuffer to, int offset, int allocationLength) {
        begin(to, offset, 0x03).put(offset + 4, (byte) allocationLength);
        return 6;
    }

    public static int inquiry(ByteBuffer to, int offset, int allocationLength) {
        begin(to, offset, 0x12).putShort(offset + 3, (short) allocationLength);
        return 6;
    }

    public static int inquiryVpd(ByteBuffer to, int offset, int page, int allocationLength) {
        inquiry(to, offset, allocationLength);
        to.put(offset + 1, (byte) 1).put(offset + 2, (byte) page);
        return 6;
    }

    public static int reportLuns(ByteBuffer to, int offset, int allocationLength) {
        begin(to, offset, 0xA0).putInt(offset + 6, allocationLength);
        return 12;
    }

    public static int readCapacity10(ByteBuffer to, int offset) {
        begin(to, offset, 0x25);
        return 10;
    }

    public static int readCapacity16(ByteBuffer to, int offset, int allocationLength) {
        begin(to, offset, 0x9E).put(offset + 1, (byte) 0x10).putInt(offset + 10, allocationLength);
        return 16;
    }

    public static int modeSense6(ByteBuffer to, int offset, int page, int allocationLength) {
        begin(to, offset, 0x1A).put(offset + 2, (byte) page).put(offset + 4, (byte) allocationLength);
        return 6;
    }

    public static int read10(ByteBuffer to, int offset, int lba, int blocks) {
        begin(to, offset, 0x28).putInt(offset + 2, lba).putShort(offset + 7, (short) blocks);
        return 10;
    }

    public static int write10(ByteBuffer to, int offset, int lba, int blocks) {
        begin(to, offset, 0x2A).putInt(offset + 2, lba).putShort(offset + 7, (short) blocks);
        return 10;
    }

    public static int read16(ByteBuffer to, int offset, long lba, int blocks) {
        begin(to, offset, 0x88).putLong(offset + 2, lba).putInt(offset + 10, blocks);
        return 16;
    }

    public static int write16(ByteBuffer to, int offset, long lba, int blocks, boolean fua) {
        begin(to, offset, 0x8A)
                .put(offset + 1, (byte) (fua ? FUA : 0))
                .putLong(offset + 2, lba)
                .putInt(offset + 10, blocks);
        return 16;
    }

    /** Flushes the whole disk. */
    public static int synchronizeCache10(ByteBuffer to, int offset) {
        begin(to, offset, 0x35);
        return 10;
    }
}
