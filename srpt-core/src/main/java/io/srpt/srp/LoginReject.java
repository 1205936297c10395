package io.srpt.srp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * SRP_LOGIN_REJ, in the private data of a connection's rejection with reason 28, consumer (SRP r16a §6.4).
 *
 * <pre>
 *   0   type 0xC2
 *   4   reason (4)
 *   8   tag (8)
 *   24  supported buffer formats (2)
 * </pre>
 *
 * @param tag that of the request
 * @param reasonCode the number on the wire, see {@link #reason()}
 * @param bufferFormats mask of {@link BufferFormat} bits
 */
public record LoginReject(long tag, int reasonCode, int bufferFormats) {
    /** Bytes of the unit. */
    public static final int LENGTH = 32;

    /** The answer to {@code request}. */
    public static LoginReject to(LoginRequest request, LoginRejectReason reason) {
        return new LoginReject(request.tag(), reason.code(), BufferFormat.LOGIN_FORMATS);
    }

    /** Decodes private data; null if it is too short or of another type. */
    public static @Nullable LoginReject decode(byte[] privateData) {
        if (privateData.length < LENGTH || (privateData[0] & 0xFF) != InformationUnitType.LOGIN_REJ) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(privateData);
        return new LoginReject(in.getLong(8), in.getInt(4), in.getShort(24) & 0xFFFF);
    }

    /** Encodes it as private data. */
    public byte[] encode() {
        byte[] bytes = new byte[LENGTH];
        ByteBuffer.wrap(bytes)
                .put(0, (byte) InformationUnitType.LOGIN_REJ)
                .putInt(4, reasonCode)
                .putLong(8, tag)
                .putShort(24, (short) bufferFormats);
        return bytes;
    }

    /** The reason by name. */
    public LoginRejectReason reason() {
        return LoginRejectReason.of(reasonCode);
    }
}
