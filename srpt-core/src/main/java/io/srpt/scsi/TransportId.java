package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The TransportID of an SRP initiator port (SPC-4 §7.6.4.6).
 *
 * <pre>
 *   0  format code 0 (2) | reserved (2) | protocol 4h (4)
 *   1  reserved (7)
 *   8  initiator port identifier (16)
 * </pre>
 *
 * @param extension the first half of the initiator port identifier
 * @param guid its second half
 */
public record TransportId(long extension, long guid) {
    /** Bytes on the wire. */
    public static final int LENGTH = 24;

    private static final int PROTOCOL_SRP = 0x04;
    private static final int FORMAT_AND_PROTOCOL = 0xCF;
    private static final int IDENTIFIER = 8;

    /** The SRP TransportID at {@code offset}, behind which {@link #LENGTH} bytes must be; null when it is of another kind. */
    static @Nullable TransportId decode(ByteBuffer from, int offset) {
        return (from.get(offset) & FORMAT_AND_PROTOCOL) == PROTOCOL_SRP
                ? new TransportId(from.getLong(offset + IDENTIFIER), from.getLong(offset + IDENTIFIER + 8))
                : null;
    }

    /** Writes it at {@code offset}. */
    void encode(ByteBuffer to, int offset) {
        to.putLong(offset, (long) PROTOCOL_SRP << 56);
        to.putLong(offset + IDENTIFIER, extension).putLong(offset + IDENTIFIER + 8, guid);
    }

    /** The initiator port identifier, 32 hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(extension) + hex.toHexDigits(guid);
    }
}
