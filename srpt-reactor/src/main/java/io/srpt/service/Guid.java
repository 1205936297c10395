package io.srpt.service;

import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** EUI-64 numbers as text: 16 hexadecimal digits. */
public final class Guid {
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;
    private static final long MULTICAST = 0x0100_0000_0000_0000L;
    private static final Pattern DIGITS = Pattern.compile("(0[xX])?[0-9a-fA-F]{16}");
    private static final Pattern GROUPS = Pattern.compile("([0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}");

    private Guid() {}

    /** A new one (EUI-64, locally administered, of one node) of {@code bits}. */
    static long random(LongSupplier bits) {
        return (bits.getAsLong() | LOCALLY_ADMINISTERED) & ~MULTICAST;
    }

    /** Reads 16 hexadecimal digits, with {@code 0x} in front or in four groups with colons. Not 0. */
    public static long parse(String text) throws ConfigurationException {
        boolean readable =
                DIGITS.matcher(text).matches() || GROUPS.matcher(text).matches();
        String digits = text.replace(":", "").replaceFirst("^0[xX]", "");
        long value = readable ? Long.parseUnsignedLong(digits, 16) : 0;
        if (value == 0) {
            throw new ConfigurationException(
                    "'" + text + "' is no GUID; write 16 hexadecimal digits, not all 0, such as 02005efffe123456");
        }
        return value;
    }

    /** 16 lower-case hexadecimal digits. */
    public static String format(long guid) {
        return "%016x".formatted(guid);
    }
}
