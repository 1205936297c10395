package io.srpt.store;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: {@code 4096}, {@code 64MiB}, {@code 10G}. All units are powers of 1024; the {@code iB} and the
 * case are optional.
 */
public final class ByteSize {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\s*([KMGTP]?)(I?B)?");
    private static final String UNITS = " KMGTP";

    private ByteSize() {}

    /** Bytes, or empty when {@code text} is no size or exceeds 63 bits. */
    public static OptionalLong parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        int power = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2));
        long unit = 1L << (10 * power);
        return number > Long.MAX_VALUE / unit ? OptionalLong.empty() : OptionalLong.of(number * unit);
    }

    /** The shortest exact form, such as {@code 64MiB}; {@link #parse} reads it back. */
    public static String format(long bytes) {
        int power = 0;
        long number = bytes;
        while (number != 0 && number % 1024 == 0 && power < UNITS.length() - 1) {
            number /= 1024;
            power++;
        }
        return power == 0 ? Long.toString(number) : number + UNITS.substring(power, power + 1) + "iB";
    }
}
