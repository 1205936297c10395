package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_AER_RSP: the initiator's answer to SRP_AER_REQ (SRP r16a §6.13). It costs no credit.
 *
 * <pre>
 *   0   type 0x42
 *   8   tag (8), that of the request
 * </pre>
 */
public final class AsyncEventResponse extends InformationUnit {
    /** Bytes of the unit. */
    public static final int LENGTH = SHORT_LENGTH;

    public AsyncEventResponse() {
        super(InformationUnitType.AER_RSP, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public AsyncEventResponse wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 16 bytes, zero but for the type. */
    public AsyncEventResponse initialise() {
        initialiseUnit();
        return this;
    }

    public AsyncEventResponse tag(long tag) {
        putTag(tag);
        return this;
    }
}
