package io.srpt.disni.provider;

import io.srpt.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 40 bytes in front of a received datagram: a global route header (version 6 in the first four bits), or, for RoCEv2 over
 * IPv4, 20 bytes of nothing and an IPv4 header. Off the hot path: it allocates.
 */
final class RouteHeader {
    private static final int LENGTH = 40;
    private static final int IPV4 = 20;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private RouteHeader() {}

    static Gid source(long address) {
        return gid(address, 8, IPV4 + 12);
    }

    static Gid destination(long address) {
        return gid(address, 24, IPV4 + 16);
    }

    @SuppressWarnings("restricted")
    private static Gid gid(long address, int offset, int ipv4Offset) {
        MemorySegment header = MemorySegment.ofAddress(address).reinterpret(LENGTH);
        boolean ipv6 = (header.get(ValueLayout.JAVA_BYTE, 0) & 0xF0) == 0x60;
        return ipv6
                ? new Gid(header.get(LONG, offset), header.get(LONG, offset + 8))
                : Gid.ofIpv4(header.get(INT, ipv4Offset));
    }
}
