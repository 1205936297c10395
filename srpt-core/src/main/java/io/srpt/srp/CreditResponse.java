package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_CRED_RSP: the initiator's answer to SRP_CRED_REQ (SRP r16a §6.11). It costs no credit.
 *
 * <pre>
 *   0   type 0x41
 *   8   tag (8), that of the request
 * </pre>
 */
public final class CreditResponse extends InformationUnit {
    /** Bytes of the unit. */
    public static final int LENGTH = SHORT_LENGTH;

    public CreditResponse() {
        super(InformationUnitType.CRED_RSP, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public CreditResponse wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 16 bytes, zero but for the type. */
    public CreditResponse initialise() {
        initialiseUnit();
        return this;
    }

    public CreditResponse tag(long tag) {
        putTag(tag);
        return this;
    }
}
