package io.srpt.guest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line that a target prints when it is ready and that the kernel takes in {@code add_target}.
 *
 * @param text {@code id_ext=…,ioc_guid=…,dest=ADDRESS:PORT}
 * @param guid the I/O controller's GUID, 16 hexadecimal digits
 * @param address numeric, without brackets
 */
record TargetLine(String text, String guid, String address) {
    private static final Pattern FORM = Pattern.compile(
            "id_ext=(?<id>[0-9a-f]{16}),ioc_guid=(?<guid>[0-9a-f]{16}),dest=(?:\\[(?<six>[0-9a-f:]+)]|(?<four>[0-9.]+)):\\d+");

    /** Whether the line is one. */
    static boolean matches(String line) {
        return FORM.matcher(line).matches();
    }

    static TargetLine parse(String line) {
        Matcher matcher = FORM.matcher(line);
        if (!matcher.matches()) {
            throw new AssertionError("not a target line: " + line);
        }
        String address = matcher.group("six") == null ? matcher.group("four") : matcher.group("six");
        return new TargetLine(line, matcher.group("guid"), address);
    }

    AddressFamily family() {
        return address.indexOf(':') < 0 ? AddressFamily.IPV4 : AddressFamily.IPV6;
    }
}
