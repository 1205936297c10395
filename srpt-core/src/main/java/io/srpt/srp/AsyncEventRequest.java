package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_AER_REQ: the target reports an event of a logical unit as sense (SRP r16a §6.12). Linux answers it and ignores what it
 * says.
 *
 * <pre>
 *   0   type 0x82
 *   1   bit 0 SOLNT
 *   4   request limit delta (4, signed)
 *   8   tag (8)
 *   20  LUN (8)
 *   28  sense length (4)
 *   36  sense
 * </pre>
 */
public final class AsyncEventRequest extends InformationUnit {
    /** Bytes without sense. */
    public static final int LENGTH = 36;

    public static final int REQUEST_LIMIT_DELTA_OFFSET = 4;
    public static final int LUN_OFFSET = 20;
    public static final int SENSE_LENGTH_OFFSET = 28;

    public AsyncEventRequest() {
        super(InformationUnitType.AER_REQ, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public AsyncEventRequest wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 36 bytes, zero but for the type. */
    public AsyncEventRequest initialise() {
        initialiseUnit();
        return this;
    }

    /** Whether {@code received} bytes hold the fixed part and the sense that the unit claims. */
    public boolean isValid(int received) {
        return received >= LENGTH && LENGTH + senseLength() <= received;
    }

    public AsyncEventRequest tag(long tag) {
        putTag(tag);
        return this;
    }

    /** SOLNT: whether it was sent as a solicited event. */
    public boolean isSolicited() {
        return (getByte(SOLICITED_OFFSET) & 1) != 0;
    }

    public AsyncEventRequest solicited(boolean solicited) {
        putByte(SOLICITED_OFFSET, solicited ? 1 : 0);
        return this;
    }

    /** Credits that the target gives, signed. */
    public int requestLimitDelta() {
        return getInt(REQUEST_LIMIT_DELTA_OFFSET);
    }

    public AsyncEventRequest requestLimitDelta(int delta) {
        putInt(REQUEST_LIMIT_DELTA_OFFSET, delta);
        return this;
    }

    /** The 8 bytes of the LUN in SAM format, as one number. */
    public long lun() {
        return getLong(LUN_OFFSET);
    }

    public AsyncEventRequest lun(long lun) {
        putLong(LUN_OFFSET, lun);
        return this;
    }

    /** Bytes of sense. */
    public long senseLength() {
        return getUnsignedInt(SENSE_LENGTH_OFFSET);
    }

    /** Where in {@link #buffer()} the sense begins. */
    public int senseOffset() {
        return offset() + LENGTH;
    }

    /** Appends {@code length} bytes of sense. Returns the length of the unit. */
    public int sense(ByteBuffer source, int sourceOffset, int length) {
        putInt(SENSE_LENGTH_OFFSET, length);
        buffer().put(senseOffset(), source, sourceOffset, length);
        return LENGTH + length;
    }
}
