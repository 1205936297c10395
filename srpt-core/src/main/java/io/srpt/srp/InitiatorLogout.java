package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_I_LOGOUT: the initiator ends the channel (SRP r16a §6.5). There is no answer.
 *
 * <pre>
 *   0   type 0x03
 *   8   tag (8)
 * </pre>
 */
public final class InitiatorLogout extends InformationUnit {
    /** Bytes of the unit. */
    public static final int LENGTH = SHORT_LENGTH;

    public InitiatorLogout() {
        super(InformationUnitType.I_LOGOUT, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public InitiatorLogout wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 16 bytes, zero but for the type. */
    public InitiatorLogout initialise() {
        initialiseUnit();
        return this;
    }

    public InitiatorLogout tag(long tag) {
        putTag(tag);
        return this;
    }
}
