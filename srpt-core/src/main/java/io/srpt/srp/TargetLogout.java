package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_T_LOGOUT: the target ends the channel (SRP r16a §6.6). Linux only logs it; the disconnect that follows is what counts.
 *
 * <pre>
 *   0   type 0x80
 *   1   bit 0 SOLNT
 *   4   reason (4)
 *   8   tag (8)
 * </pre>
 */
public final class TargetLogout extends InformationUnit {
    /** Bytes of the unit. */
    public static final int LENGTH = SHORT_LENGTH;

    public static final int REASON_OFFSET = 4;

    public static final int NO_REASON = 0;
    public static final int INACTIVE = 1;
    public static final int INVALID_UNIT_TYPE = 2;
    public static final int UNEXPECTED_RESPONSE = 3;
    public static final int MULTICHANNEL_ACTION = 4;
    public static final int UNSUPPORTED_DATA_OUT_FORMAT = 6;
    public static final int UNSUPPORTED_DATA_IN_FORMAT = 7;
    public static final int INVALID_UNIT_LENGTH = 8;

    public TargetLogout() {
        super(InformationUnitType.T_LOGOUT, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public TargetLogout wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 16 bytes, zero but for the type. */
    public TargetLogout initialise() {
        initialiseUnit();
        return this;
    }

    public TargetLogout tag(long tag) {
        putTag(tag);
        return this;
    }

    /** SOLNT: whether it was sent as a solicited event. */
    public boolean isSolicited() {
        return (getByte(SOLICITED_OFFSET) & 1) != 0;
    }

    public TargetLogout solicited(boolean solicited) {
        putByte(SOLICITED_OFFSET, solicited ? 1 : 0);
        return this;
    }

    public int reason() {
        return getInt(REASON_OFFSET);
    }

    public TargetLogout reason(int reason) {
        putInt(REASON_OFFSET, reason);
        return this;
    }
}
