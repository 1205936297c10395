package io.srpt.srp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * SRP_LOGIN_RSP, in the private data of the connection's reply (SRP r16a §6.3, SRP-2 for the flags).
 *
 * <pre>
 *   0   type 0xC0
 *   4   request limit delta (4): the first credits
 *   8   tag (8)
 *   16  longest initiator-to-target unit (4)
 *   20  longest target-to-initiator unit (4)
 *   24  supported buffer formats (2)
 *   26  flags: bits 1..0 multichannel result, 4 SOLNTSUP, 7 immediate data accepted
 *   27  reserved (25)
 * </pre>
 *
 * @param tag that of the request
 * @param requestLimitDelta credits to begin with
 * @param maxRequestLength longest unit from initiator to target in bytes
 * @param maxResponseLength longest unit from target to initiator in bytes
 * @param bufferFormats mask of {@link BufferFormat} bits
 * @param flags as above
 */
public record LoginResponse(
        long tag, int requestLimitDelta, long maxRequestLength, long maxResponseLength, int bufferFormats, int flags) {
    /** Bytes of the unit. */
    public static final int LENGTH = 52;

    /** Flags: the multichannel result. */
    public static final int MULTICHANNEL_MASK = 0x03;
    /** Multichannel result: there were no other channels. */
    public static final int MULTICHANNEL_NONE = 0;
    /** Multichannel result: other channels were ended. */
    public static final int MULTICHANNEL_TERMINATED = 1;
    /** Multichannel result: other channels were kept. */
    public static final int MULTICHANNEL_MAINTAINED = 2;
    /** Flags: SOLNTSUP, the target sends solicited events where the initiator asks for them. */
    public static final int SOLICITED_NOTIFICATION = 1 << 4;
    /** Flags: the initiator may send immediate data. */
    public static final int IMMEDIATE_DATA = 0x80;

    /** Decodes private data; null if it is too short or of another type. */
    public static @Nullable LoginResponse decode(byte[] privateData) {
        if (privateData.length < LENGTH || (privateData[0] & 0xFF) != InformationUnitType.LOGIN_RSP) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(privateData);
        return new LoginResponse(
                in.getLong(8),
                in.getInt(4),
                in.getInt(16) & 0xFFFF_FFFFL,
                in.getInt(20) & 0xFFFF_FFFFL,
                in.getShort(24) & 0xFFFF,
                in.get(26) & 0xFF);
    }

    /** Encodes it as private data. */
    public byte[] encode() {
        byte[] bytes = new byte[LENGTH];
        ByteBuffer.wrap(bytes)
                .put(0, (byte) InformationUnitType.LOGIN_RSP)
                .putInt(4, requestLimitDelta)
                .putLong(8, tag)
                .putInt(16, (int) maxRequestLength)
                .putInt(20, (int) maxResponseLength)
                .putShort(24, (short) bufferFormats)
                .put(26, (byte) flags);
        return bytes;
    }

    /** Whether the initiator may send immediate data. */
    public boolean acceptsImmediateData() {
        return (flags & IMMEDIATE_DATA) != 0;
    }

    /** One of the multichannel results. */
    public int multichannelResult() {
        return flags & MULTICHANNEL_MASK;
    }
}
