package io.srpt.srp;

import java.util.HexFormat;

/**
 * An SRP port identifier: 16 bytes, an extension and a GUID (SRP r16a §4.3; IO class 0x0100, not the swapped halves of
 * revision 10). For a target port Linux calls the halves {@code id_ext} and {@code ioc_guid}.
 */
public record PortId(long extension, long guid) {
    /** Bytes on the wire. */
    public static final int LENGTH = 16;

    private static final int DIGITS = 2 * LENGTH;
    private static final int HALF = DIGITS / 2;

    /**
     * Reads hexadecimal digits, with {@code 0x} in front or without; an even number, at most 32. Fewer stand for the last ones:
     * zeros come before them ({@code srpt_parse_i_port_id} of the Linux driver, which ignores what exceeds 32 digits).
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static PortId parse(String text) {
        boolean marked = text.startsWith("0x") || text.startsWith("0X");
        String digits = marked ? text.substring(2) : text;
        if (digits.length() > DIGITS || (digits.length() & 1) != 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' has not an even number of up to " + DIGITS + " hexadecimal digits");
        }
        String all = "0".repeat(DIGITS - digits.length()) + digits;
        return new PortId(
                HexFormat.fromHexDigitsToLong(all, 0, HALF), HexFormat.fromHexDigitsToLong(all, HALF, DIGITS));
    }

    /** 32 lower-case hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(extension) + hex.toHexDigits(guid);
    }
}
