package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_CRED_REQ: the target gives credits without a response to hang them on (SRP r16a §6.10). Linux keeps one buffer for its
 * answer: never have two requests of the target outstanding.
 *
 * <pre>
 *   0   type 0x81
 *   1   bit 0 SOLNT
 *   4   request limit delta (4, signed)
 *   8   tag (8)
 * </pre>
 */
public final class CreditRequest extends InformationUnit {
    /** Bytes of the unit. */
    public static final int LENGTH = SHORT_LENGTH;

    public static final int REQUEST_LIMIT_DELTA_OFFSET = 4;

    public CreditRequest() {
        super(InformationUnitType.CRED_REQ, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public CreditRequest wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 16 bytes, zero but for the type. */
    public CreditRequest initialise() {
        initialiseUnit();
        return this;
    }

    public CreditRequest tag(long tag) {
        putTag(tag);
        return this;
    }

    /** SOLNT: whether it was sent as a solicited event. */
    public boolean isSolicited() {
        return (getByte(SOLICITED_OFFSET) & 1) != 0;
    }

    public CreditRequest solicited(boolean solicited) {
        putByte(SOLICITED_OFFSET, solicited ? 1 : 0);
        return this;
    }

    /** Credits that the target gives, signed. */
    public int requestLimitDelta() {
        return getInt(REQUEST_LIMIT_DELTA_OFFSET);
    }

    public CreditRequest requestLimitDelta(int delta) {
        putInt(REQUEST_LIMIT_DELTA_OFFSET, delta);
        return this;
    }
}
