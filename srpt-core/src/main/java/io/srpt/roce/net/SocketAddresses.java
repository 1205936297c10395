package io.srpt.roce.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.srpt.roce.packet.FlowHeader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/** An array of socket addresses of one family, port 4791 until another is read. */
final class SocketAddresses {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final boolean ipv4;
    private final MemorySegment addresses;

    SocketAddresses(int count, boolean ipv4) {
        this.ipv4 = ipv4;
        addresses = NativeDatagrams.allocate(count * NativeDatagrams.ADDRESS_SIZE);
        for (int i = 0; i < count; i++) {
            int at = i * NativeDatagrams.ADDRESS_SIZE;
            addresses.set(JAVA_SHORT, at, ipv4 ? NativeDatagrams.AF_INET : NativeDatagrams.AF_INET6);
            addresses.set(JAVA_SHORT, at + 2, networkOrder((short) FlowHeader.ROCE_PORT));
        }
    }

    /** Where entry {@code index} is in memory. */
    long pointer(int index) {
        return addresses.address() + (long) index * NativeDatagrams.ADDRESS_SIZE;
    }

    /** Bytes of an entry that the system looks at. */
    int length() {
        return ipv4 ? NativeDatagrams.SOCKADDR_IN_LENGTH : NativeDatagrams.SOCKADDR_IN6_LENGTH;
    }

    /** Sets the peer of {@code datagram} to entry {@code index}. */
    void read(int index, Datagram datagram) {
        int at = index * NativeDatagrams.ADDRESS_SIZE;
        int port = networkOrder(addresses.get(JAVA_SHORT, at + 2)) & 0xFFFF;
        if (ipv4) {
            long address = networkOrder(addresses.get(JAVA_INT, at + 4)) & 0xFFFF_FFFFL;
            datagram.remote(0, 0xFFFF_0000_0000L | address, port);
        } else {
            datagram.remote(
                    networkOrder(addresses.get(JAVA_LONG, at + 8)),
                    networkOrder(addresses.get(JAVA_LONG, at + 16)),
                    port);
        }
    }

    /** Sets entry {@code index} to the peer of {@code datagram}; {@code scope} is the interface of link-local ones. */
    void write(int index, Datagram datagram, int scope) {
        int at = index * NativeDatagrams.ADDRESS_SIZE;
        if (ipv4) {
            addresses.set(JAVA_INT, at + 4, networkOrder((int) datagram.remoteLow()));
        } else {
            addresses.set(JAVA_LONG, at + 8, networkOrder(datagram.remoteHigh()));
            addresses.set(JAVA_LONG, at + 16, networkOrder(datagram.remoteLow()));
            addresses.set(JAVA_INT, at + 24, isLinkLocal(datagram.remoteHigh()) ? scope : 0);
        }
    }

    private static boolean isLinkLocal(long high) {
        return high >>> 54 == 0xFE80L >>> 6;
    }

    private static short networkOrder(short value) {
        return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
    }

    private static int networkOrder(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    private static long networkOrder(long value) {
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }
}
