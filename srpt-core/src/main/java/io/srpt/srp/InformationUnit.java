package io.srpt.srp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A flyweight over an information unit: the fields that all units of the data path share.
 *
 * <pre>
 *   0  type
 *   1  SOLNT bits
 *   8  tag (8)
 * </pre>
 *
 * <p>A flyweight checks nothing: a unit that came from the wire must have been validated against its received length. It
 * is used by one thread at a time and refers to the buffer until it is wrapped anew.
 */
public abstract class InformationUnit {
    /** Bytes of the units that are nothing but a header: CRED_REQ, CRED_RSP, AER_RSP, I_LOGOUT, T_LOGOUT. */
    public static final int SHORT_LENGTH = 16;

    public static final int TYPE_OFFSET = 0;
    public static final int SOLICITED_OFFSET = 1;
    public static final int TAG_OFFSET = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int fixedLength;
    private final int typeCode;
    private ByteBuffer buffer = NOTHING;
    private int offset;

    InformationUnit(int typeCode, int fixedLength) {
        this.typeCode = typeCode;
        this.fixedLength = fixedLength;
    }

    final void wrapUnit(ByteBuffer newBuffer, int newOffset) {
        assert newBuffer.order() == ByteOrder.BIG_ENDIAN;
        buffer = newBuffer;
        offset = newOffset;
    }

    /** Zeroes the fixed part and writes the type: the start of every encoding. */
    final void initialiseUnit() {
        zero(0, fixedLength);
        putByte(TYPE_OFFSET, typeCode);
    }

    /** The buffer that the unit lies in. */
    public final ByteBuffer buffer() {
        return buffer;
    }

    /** Where in {@link #buffer()} the unit begins. */
    public final int offset() {
        return offset;
    }

    /** The type as it stands in the buffer. */
    public final int type() {
        return getByte(TYPE_OFFSET);
    }

    /** The tag: opaque. */
    public final long tag() {
        return getLong(TAG_OFFSET);
    }

    final void putTag(long tag) {
        putLong(TAG_OFFSET, tag);
    }

    final int getByte(int field) {
        return buffer.get(offset + field) & 0xFF;
    }

    final void putByte(int field, int value) {
        buffer.put(offset + field, (byte) value);
    }

    final int getInt(int field) {
        return buffer.getInt(offset + field);
    }

    final void putInt(int field, int value) {
        buffer.putInt(offset + field, value);
    }

    final long getUnsignedInt(int field) {
        return buffer.getInt(offset + field) & 0xFFFF_FFFFL;
    }

    final long getLong(int field) {
        return buffer.getLong(offset + field);
    }

    final void putLong(int field, long value) {
        buffer.putLong(offset + field, value);
    }

    final void zero(int field, int length) {
        int at = offset + field;
        int end = at + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            buffer.putLong(at, 0);
        }
        for (; at < end; at++) {
            buffer.put(at, (byte) 0);
        }
    }
}
