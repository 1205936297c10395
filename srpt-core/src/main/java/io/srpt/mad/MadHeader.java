package io.srpt.mad;

import java.nio.ByteBuffer;

/**
 * The common header of every management datagram (InfiniBand Architecture Specification, volume 1, section 13.4.3).
 *
 * <pre>
 *  0 BaseVersion (1) | 1 MgmtClass (1) | 2 ClassVersion (1) | 3 Method (1, bit 7 = response)
 *  4 Status (2)                        | 6 ClassSpecific (2)
 *  8 TransactionID (8)
 * 16 AttributeID (2)                   | 18 reserved (2)
 * 20 AttributeModifier (4)
 * 24 data (232)
 * </pre>
 *
 * A flyweight of one event loop.
 */
public final class MadHeader {
    /** Bytes of the header. */
    public static final int LENGTH = 24;

    /** Bytes of a whole datagram. */
    public static final int MAD_LENGTH = 256;

    public static final int BASE_VERSION_OFFSET = 0;
    public static final int MANAGEMENT_CLASS_OFFSET = 1;
    public static final int CLASS_VERSION_OFFSET = 2;
    public static final int METHOD_OFFSET = 3;
    public static final int STATUS_OFFSET = 4;
    public static final int CLASS_SPECIFIC_OFFSET = 6;
    public static final int TRANSACTION_ID_OFFSET = 8;
    public static final int ATTRIBUTE_ID_OFFSET = 16;
    public static final int ATTRIBUTE_MODIFIER_OFFSET = 20;

    public static final int BASE_VERSION = 1;

    public static final int CLASS_DEVICE_MANAGEMENT = 0x06;
    public static final int CLASS_COMMUNICATION_MANAGEMENT = 0x07;

    public static final int METHOD_GET = 0x01;
    public static final int METHOD_SET = 0x02;
    public static final int METHOD_SEND = 0x03;
    public static final int METHOD_GET_RESPONSE = 0x81;
    public static final int METHOD_RESPONSE_BIT = 0x80;

    public static final int STATUS_OK = 0;
    public static final int STATUS_METHOD_NOT_SUPPORTED = 0x0008;
    public static final int STATUS_ATTRIBUTE_NOT_SUPPORTED = 0x000C;
    public static final int STATUS_BAD_VALUE = 0x001C;

    private static final ByteBuffer UNWRAPPED = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private ByteBuffer buffer = UNWRAPPED;
    private int offset;

    /** Points this flyweight at the 256 bytes from {@code offset}; the caller has checked that they exist. */
    public MadHeader wrap(ByteBuffer newBuffer, int newOffset) {
        buffer = newBuffer;
        offset = newOffset;
        return this;
    }

    /** Writes all 24 bytes: base version 1, status 0, and what is given. */
    public MadHeader put(
            int managementClass, int classVersion, int method, long transactionId, int attributeId, int modifier) {
        buffer.putLong(offset, 0);
        return baseVersion(BASE_VERSION)
                .managementClass(managementClass)
                .classVersion(classVersion)
                .method(method)
                .transactionId(transactionId)
                .attributeId(attributeId)
                .attributeModifier(modifier);
    }

    public int baseVersion() {
        return buffer.get(offset + BASE_VERSION_OFFSET) & 0xFF;
    }

    public MadHeader baseVersion(int version) {
        buffer.put(offset + BASE_VERSION_OFFSET, (byte) version);
        return this;
    }

    public int managementClass() {
        return buffer.get(offset + MANAGEMENT_CLASS_OFFSET) & 0xFF;
    }

    public MadHeader managementClass(int managementClass) {
        buffer.put(offset + MANAGEMENT_CLASS_OFFSET, (byte) managementClass);
        return this;
    }

    public int classVersion() {
        return buffer.get(offset + CLASS_VERSION_OFFSET) & 0xFF;
    }

    public MadHeader classVersion(int version) {
        buffer.put(offset + CLASS_VERSION_OFFSET, (byte) version);
        return this;
    }

    public int method() {
        return buffer.get(offset + METHOD_OFFSET) & 0xFF;
    }

    public MadHeader method(int method) {
        buffer.put(offset + METHOD_OFFSET, (byte) method);
        return this;
    }

    public boolean isResponse() {
        return (method() & METHOD_RESPONSE_BIT) != 0;
    }

    public int status() {
        return buffer.getShort(offset + STATUS_OFFSET) & 0xFFFF;
    }

    public MadHeader status(int status) {
        buffer.putShort(offset + STATUS_OFFSET, (short) status);
        return this;
    }

    public long transactionId() {
        return buffer.getLong(offset + TRANSACTION_ID_OFFSET);
    }

    public MadHeader transactionId(long transactionId) {
        buffer.putLong(offset + TRANSACTION_ID_OFFSET, transactionId);
        return this;
    }

    public int attributeId() {
        return buffer.getShort(offset + ATTRIBUTE_ID_OFFSET) & 0xFFFF;
    }

    /** Also clears the two reserved bytes that follow. */
    public MadHeader attributeId(int attributeId) {
        buffer.putInt(offset + ATTRIBUTE_ID_OFFSET, attributeId << 16);
        return this;
    }

    public int attributeModifier() {
        return buffer.getInt(offset + ATTRIBUTE_MODIFIER_OFFSET);
    }

    public MadHeader attributeModifier(int modifier) {
        buffer.putInt(offset + ATTRIBUTE_MODIFIER_OFFSET, modifier);
        return this;
    }
}
