package io.srpt.verbs;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A global identifier: 128 bits that name a port. On RoCEv2 it is an IPv6 address, or an IPv4 address a.b.c.d as {@code
 * ::ffff:a.b.c.d}. Immutable, any thread.
 *
 * @param high the first 8 bytes, first byte most significant (the subnet prefix)
 * @param low the last 8 bytes (the interface identifier)
 */
public record Gid(long high, long low) {

    public static final int LENGTH = 16;

    /** All zero: the reserved GID, never a port. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final long IPV4_MAPPED_PREFIX = 0xFFFFL;
    private static final int GROUPS = 8;

    public boolean isZero() {
        return (high | low) == 0;
    }

    /** Whether it is {@code ::ffff:a.b.c.d}. */
    public boolean isIpv4Mapped() {
        return high == 0 && low >>> 32 == IPV4_MAPPED_PREFIX;
    }

    /** The last four bytes, first byte most significant: the address when {@link #isIpv4Mapped}. */
    public int ipv4() {
        return (int) low;
    }

    /** The GID of an IPv4 address, first byte most significant. */
    public static Gid ofIpv4(int address) {
        return new Gid(0, IPV4_MAPPED_PREFIX << 32 | address & 0xFFFF_FFFFL);
    }

    /** The GID of an address; a scope of an IPv6 address is left out. */
    public static Gid of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.capacity() == LENGTH ? read(bytes, 0) : ofIpv4(bytes.getInt(0));
    }

    /** The 16 bytes at {@code offset} of a big-endian buffer. */
    public static Gid read(ByteBuffer buffer, int offset) {
        return new Gid(buffer.getLong(offset), buffer.getLong(offset + Long.BYTES));
    }

    /** Writes 16 bytes at {@code offset} of a big-endian buffer. */
    public void write(ByteBuffer buffer, int offset) {
        buffer.putLong(offset, high);
        buffer.putLong(offset + Long.BYTES, low);
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[LENGTH];
        write(ByteBuffer.wrap(bytes), 0);
        return bytes;
    }

    /** An IPv4 address when mapped, else an IPv6 address without scope. */
    public InetAddress toInetAddress() {
        try {
            return isIpv4Mapped()
                    ? InetAddress.getByAddress(
                            ByteBuffer.allocate(Integer.BYTES).putInt(0, ipv4()).array())
                    : Inet6Address.getByAddress(null, toBytes(), -1);
        } catch (UnknownHostException e) {
            throw new AssertionError("16 or 4 bytes are always an address", e);
        }
    }

    /**
     * Reads an IPv6 address in any notation ({@code fe80::1}, {@code ::ffff:192.0.2.1}, a scope is ignored), an IPv4
     * address, or 32 hexadecimal digits as in the options of the Linux SRP initiator. Never asks a name server.
     *
     * @throws IllegalArgumentException when the text is none of these
     */
    public static Gid parse(String text) {
        int scope = text.indexOf('%');
        String literal = scope < 0 ? text : text.substring(0, scope);
        if (literal.indexOf(':') >= 0) {
            return of(InetAddress.ofLiteral(literal));
        }
        if (literal.chars().filter(c -> c == '.').count() == 3) {
            return of(InetAddress.ofLiteral(literal));
        }
        if (literal.length() == 2 * LENGTH) {
            return read(ByteBuffer.wrap(HexFormat.of().parseHex(literal)), 0);
        }
        throw new IllegalArgumentException("not a GID: " + text);
    }

    /** The canonical text of RFC 5952: {@code fe80::1}, {@code ::ffff:192.0.2.1}. */
    @Override
    public String toString() {
        if (isIpv4Mapped()) {
            int a = ipv4();
            return String.format(
                    Locale.ROOT, "::ffff:%d.%d.%d.%d", a >>> 24, a >>> 16 & 0xFF, a >>> 8 & 0xFF, a & 0xFF);
        }
        int zeros = longestZeros();
        int zeroCount = zeros < 0 ? 0 : zeroCount(zeros);
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == zeros) {
                text.append("::");
                i += zeroCount - 1;
                continue;
            }
            if (i > 0 && i != zeros + zeroCount) {
                text.append(':');
            }
            text.append(Integer.toHexString(group(i)));
        }
        return text.toString();
    }

    private int group(int index) {
        long half = index < GROUPS / 2 ? high : low;
        return (int) (half >>> 48 - (index & 3) * 16) & 0xFFFF;
    }

    private int zeroCount(int first) {
        int end = first;
        while (end < GROUPS && group(end) == 0) {
            end++;
        }
        return end - first;
    }

    /** The first of the longest runs of at least two zero groups, or -1. */
    private int longestZeros() {
        int best = -1;
        int bestCount = 1;
        for (int i = 0; i < GROUPS; i++) {
            int count = zeroCount(i);
            if (count > bestCount) {
                best = i;
                bestCount = count;
            }
        }
        return best;
    }
}
