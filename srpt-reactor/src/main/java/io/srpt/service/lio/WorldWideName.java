package io.srpt.service.lio;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A port's name as LIO's tools write it: 128 bits as {@code ib.} or {@code 0x} and 32 digits; 64 bits as 16 digits or four groups
 * with colons; or an IP address. Leading zeros may be missing.
 *
 * @param digits 16 or 32 lower-case hexadecimal digits; empty for an IP address
 * @param address the address that a 128-bit name is when it is a GID, or that the name was written as; null for 64 bits
 */
record WorldWideName(String digits, @Nullable InetAddress address) {
    private static final String FABRIC_PREFIX = "ib.";
    private static final String HEX_PREFIX = "0x";
    private static final int LONG_DIGITS = 32;
    private static final int SHORT_DIGITS = 16;
    private static final int SHORT_GROUPS = 4;

    /** What {@code text} names; null when it is no name of a port. */
    static @Nullable WorldWideName parse(String text) {
        String bare = text.strip().toLowerCase(Locale.ROOT);
        bare = bare.startsWith(FABRIC_PREFIX) ? bare.substring(FABRIC_PREFIX.length()) : bare;
        boolean marked = bare.startsWith(HEX_PREFIX);
        bare = marked ? bare.substring(HEX_PREFIX.length()) : bare;
        if (bare.matches("[0-9a-f]+")) {
            return ofDigits(bare);
        }
        String[] groups = bare.split(":", -1);
        if (groups.length == SHORT_GROUPS && bare.matches("[0-9a-f]{1,4}(:[0-9a-f]{1,4})*")) {
            StringBuilder all = new StringBuilder();
            for (String group : groups) {
                all.append("0".repeat(SHORT_GROUPS - group.length())).append(group);
            }
            return ofDigits(all.toString());
        }
        return marked ? null : ofAddress(bare);
    }

    private static @Nullable WorldWideName ofDigits(String digits) {
        if (digits.length() > LONG_DIGITS) {
            return null;
        }
        int length = digits.length() > SHORT_DIGITS ? LONG_DIGITS : SHORT_DIGITS;
        String all = "0".repeat(length - digits.length()) + digits;
        try {
            InetAddress address = length == LONG_DIGITS
                    ? InetAddress.getByAddress(HexFormat.of().parseHex(all))
                    : null;
            return new WorldWideName(all, address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }

    private static @Nullable WorldWideName ofAddress(String text) {
        try {
            return new WorldWideName("", InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** As an initiator is named in {@code acls}. */
    String initiator() {
        InetAddress ip = address;
        if (digits.isEmpty() || ip instanceof Inet4Address) {
            return ip == null ? digits : ip.getHostAddress();
        }
        return HEX_PREFIX + digits;
    }

    /** The address that a target port with this name listens on; null when the name is no routable address. */
    @Nullable
    InetAddress listen() {
        InetAddress ip = address;
        return ip == null || ip.isLinkLocalAddress() || ip.isAnyLocalAddress() ? null : ip;
    }
}
