package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_RSP: the end of a command or of a task management function (SRP r16a §6.9).
 *
 * <pre>
 *   0   type 0xC1
 *   1   bit 0 SOLNT
 *   4   request limit delta (4, signed)
 *   8   tag (8)
 *   18  flags: bit 0 RSPVALID, 1 SNSVALID, 2 DOOVER, 3 DOUNDER, 4 DIOVER, 5 DIUNDER
 *   19  SCSI status
 *   20  data-out residual (4)
 *   24  data-in residual (4)
 *   28  sense length (4)
 *   32  response data length (4)
 *   36  response data (r), then sense (s)
 * </pre>
 *
 * <p>RSPVALID and a SCSI status exclude each other. An initiator calls {@link #isValid(int)} before it looks at lengths.
 */
public final class SrpResponse extends InformationUnit {
    /** Bytes without response data and sense. */
    public static final int LENGTH = 36;

    public static final int REQUEST_LIMIT_DELTA_OFFSET = 4;
    public static final int FLAGS_OFFSET = 18;
    public static final int STATUS_OFFSET = 19;
    public static final int DATA_OUT_RESIDUAL_OFFSET = 20;
    public static final int DATA_IN_RESIDUAL_OFFSET = 24;
    public static final int SENSE_LENGTH_OFFSET = 28;
    public static final int RESPONSE_DATA_LENGTH_OFFSET = 32;

    public static final int RESPONSE_VALID = 1;
    public static final int SENSE_VALID = 1 << 1;
    public static final int DATA_OUT_OVER = 1 << 2;
    public static final int DATA_OUT_UNDER = 1 << 3;
    public static final int DATA_IN_OVER = 1 << 4;
    public static final int DATA_IN_UNDER = 1 << 5;

    /** Bytes of response data: three reserved, then the code. */
    public static final int RESPONSE_DATA_LENGTH = 4;

    /** Response code: the task management function is complete. */
    public static final int RESPONSE_COMPLETE = 0;
    /** Response code: a field of the request is not valid. */
    public static final int RESPONSE_INVALID_FIELDS = 2;
    /** Response code: the task management function is not supported. */
    public static final int RESPONSE_NOT_SUPPORTED = 4;
    /** Response code: the task management function failed. */
    public static final int RESPONSE_FAILED = 5;

    public SrpResponse() {
        super(InformationUnitType.RSP, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public SrpResponse wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 36 bytes, zero but for the type. */
    public SrpResponse initialise() {
        initialiseUnit();
        return this;
    }

    /** Whether {@code received} bytes hold the fixed part, the response data and the sense that the unit claims. */
    public boolean isValid(int received) {
        return received >= LENGTH && LENGTH + responseDataLength() + senseLength() <= received;
    }

    public SrpResponse tag(long tag) {
        putTag(tag);
        return this;
    }

    public boolean isSolicited() {
        return (getByte(SOLICITED_OFFSET) & 1) != 0;
    }

    public SrpResponse solicited(boolean solicited) {
        putByte(SOLICITED_OFFSET, solicited ? 1 : 0);
        return this;
    }

    /** Credits that the target gives back, signed. */
    public int requestLimitDelta() {
        return getInt(REQUEST_LIMIT_DELTA_OFFSET);
    }

    public SrpResponse requestLimitDelta(int delta) {
        putInt(REQUEST_LIMIT_DELTA_OFFSET, delta);
        return this;
    }

    public int flags() {
        return getByte(FLAGS_OFFSET);
    }

    public SrpResponse flags(int flags) {
        putByte(FLAGS_OFFSET, flags);
        return this;
    }

    public int status() {
        return getByte(STATUS_OFFSET);
    }

    public SrpResponse status(int status) {
        putByte(STATUS_OFFSET, status);
        return this;
    }

    public long dataOutResidual() {
        return getUnsignedInt(DATA_OUT_RESIDUAL_OFFSET);
    }

    public SrpResponse dataOutResidual(int residual) {
        putInt(DATA_OUT_RESIDUAL_OFFSET, residual);
        return this;
    }

    public long dataInResidual() {
        return getUnsignedInt(DATA_IN_RESIDUAL_OFFSET);
    }

    public SrpResponse dataInResidual(int residual) {
        putInt(DATA_IN_RESIDUAL_OFFSET, residual);
        return this;
    }

    /** Bytes of sense; whether they count says SENSE_VALID. */
    public long senseLength() {
        return getUnsignedInt(SENSE_LENGTH_OFFSET);
    }

    /** Bytes of response data; whether they count says RESPONSE_VALID. */
    public long responseDataLength() {
        return getUnsignedInt(RESPONSE_DATA_LENGTH_OFFSET);
    }

    /** Where in {@link #buffer()} the sense begins. Only on a valid unit. */
    public int senseOffset() {
        return offset() + LENGTH + (int) responseDataLength();
    }

    /** The response code, {@link #RESPONSE_FAILED} when the response data is too short to hold one. */
    public int responseCode() {
        return responseDataLength() < RESPONSE_DATA_LENGTH
                ? RESPONSE_FAILED
                : getByte(LENGTH + RESPONSE_DATA_LENGTH - 1);
    }

    /** Appends response data with {@code code} and sets RESPONSE_VALID. Returns the length of the unit. */
    public int responseCode(int code) {
        flags(flags() | RESPONSE_VALID);
        putInt(RESPONSE_DATA_LENGTH_OFFSET, RESPONSE_DATA_LENGTH);
        putInt(LENGTH, code & 0xFF);
        return LENGTH + RESPONSE_DATA_LENGTH;
    }

    /** Appends {@code length} bytes of sense and sets SENSE_VALID. Returns the length of the unit. */
    public int sense(ByteBuffer source, int sourceOffset, int length) {
        flags(flags() | SENSE_VALID);
        putInt(SENSE_LENGTH_OFFSET, length);
        buffer().put(senseOffset(), source, sourceOffset, length);
        return LENGTH + (int) responseDataLength() + length;
    }
}
