package io.srpt.srp;

import java.util.HexFormat;

/**
 * An SRP port identifier: 16 bytes, an extension and a GUID (SRP r16a §4.3; IO class 0x0100, not the swapped halves of
 * revision 10). For a target port Linux calls the halves {@code id_ext} and {@code ioc_guid}.
 */
public record PortId(long extension, long guid) {
    /** Bytes on the wire. */
    public static final int LENGTH = 16;

    /** 32 lower-case hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(extension) + hex.toHexDigits(guid);
    }
}
