package io.srpt.mad.dm;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * One of the four entries of attribute ServiceEntries (InfiniBand Architecture Specification, volume 1, section
 * 16.3.3.5): {@code 0 name (40) | 40 service id (8)}.
 *
 * @param name for SRP {@code SRP.T10:} and the target's id extension as 16 hexadecimal digits
 * @param serviceId where to connect to
 */
public record ServiceEntry(String name, long serviceId) {
    public static final int LENGTH = 48;

    /** Entries of one attribute. */
    public static final int COUNT = 4;

    public static final int NAME_OFFSET = 0;
    public static final int NAME_LENGTH = 40;
    public static final int SERVICE_ID_OFFSET = 40;

    private static final String SRP_PREFIX = "SRP.T10:";
    private static final HexFormat HEX = HexFormat.of();

    /** The entry of an SRP target. */
    public static ServiceEntry srp(long idExtension, long serviceId) {
        return new ServiceEntry(SRP_PREFIX + HEX.toHexDigits(idExtension), serviceId);
    }

    /** The id extension of an SRP target, empty if the entry is not one. */
    public OptionalLong srpIdExtension() {
        if (!name.startsWith(SRP_PREFIX) || name.length() != SRP_PREFIX.length() + 2 * Long.BYTES) {
            return OptionalLong.empty();
        }
        for (int i = SRP_PREFIX.length(); i < name.length(); i++) {
            if (!HexFormat.isHexDigit(name.charAt(i))) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(HexFormat.fromHexDigitsToLong(name, SRP_PREFIX.length(), name.length()));
    }

    /** Writes all 48 bytes. */
    public void write(ByteBuffer buffer, int offset) {
        Fields.clear(buffer, offset, LENGTH);
        Fields.putText(buffer, offset + NAME_OFFSET, NAME_LENGTH, name);
        buffer.putLong(offset + SERVICE_ID_OFFSET, serviceId);
    }

    /** Reads it; the caller has checked that 48 bytes exist. */
    public static ServiceEntry read(ByteBuffer buffer, int offset) {
        return new ServiceEntry(
                Fields.getText(buffer, offset + NAME_OFFSET, NAME_LENGTH), buffer.getLong(offset + SERVICE_ID_OFFSET));
    }
}
