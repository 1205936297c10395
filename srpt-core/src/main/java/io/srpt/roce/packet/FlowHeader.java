package io.srpt.roce.packet;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * The part of the ICRC's input that comes before the BTH, for one direction of one path: 8 bytes of ones in place of the
 * LRH, the IP header and the UDP header with the fields that routers change masked to ones.
 *
 * <pre>
 * IPv4:  0 ones (8) |  8 IPv4 header (20), TOS, TTL and checksum masked                        | 28 UDP (8), checksum masked | 36 BTH
 * IPv6:  0 ones (8) |  8 IPv6 header (40), traffic class, flow label and hop limit masked      | 48 UDP (8), checksum masked | 56 BTH
 * </pre>
 *
 * Built once a path and kept: per packet only the lengths and the IPv4 identification are written, and the BTH copied
 * behind it. IPv4 is used when both ends are IPv4-mapped, IPv6 otherwise. The direction counts: the header for receiving
 * has the peer as its source. Mutable, of one event loop.
 */
public final class FlowHeader {

    /** The destination port of RoCEv2. */
    public static final int ROCE_PORT = 4791;

    static final int IPV4_LENGTH = 20;
    static final int IPV6_LENGTH = 40;
    static final int UDP_LENGTH = 8;
    static final int DONT_FRAGMENT = 0x4000;

    private static final int ONES_LENGTH = 8;
    private static final int UDP_PROTOCOL = 17;
    private static final int IP = ONES_LENGTH;

    private final ByteBuffer header = ByteBuffer.allocate(ONES_LENGTH + IPV6_LENGTH + UDP_LENGTH + Bth.LENGTH);
    private Gid source;
    private Gid destination;
    private boolean ipv4;
    private int udp;
    private int sourcePort;
    private int destinationPort;

    /** A flow from {@code source} to {@code destination}, UDP ports 0..65535. */
    public FlowHeader(Gid source, Gid destination, int sourcePort, int destinationPort) {
        this.source = source;
        this.destination = destination;
        build(source, destination);
        ports(sourcePort, destinationPort);
    }

    /** A flow to port 4791. */
    public FlowHeader(Gid source, Gid destination, int sourcePort) {
        this(source, destination, sourcePort, ROCE_PORT);
    }

    /** Makes this the header of another flow, for datagrams from anyone (QP1). */
    public FlowHeader set(Gid source, Gid destination, int sourcePort, int destinationPort) {
        if (!source.equals(this.source) || !destination.equals(this.destination)) {
            this.source = source;
            this.destination = destination;
            build(source, destination);
        }
        return ports(sourcePort, destinationPort);
    }

    /** Changes the ports: a peer may send from a different one each time, and the ICRC covers it. */
    public FlowHeader ports(int sourcePort, int destinationPort) {
        this.sourcePort = sourcePort & 0xFFFF;
        this.destinationPort = destinationPort & 0xFFFF;
        header.putInt(udp, sourcePort << 16 | destinationPort & 0xFFFF);
        return this;
    }

    public FlowHeader sourcePort(int port) {
        return ports(port, destinationPort);
    }

    public Gid source() {
        return source;
    }

    public Gid destination() {
        return destination;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public int destinationPort() {
        return destinationPort;
    }

    public boolean isIpv4() {
        return ipv4;
    }

    private void build(Gid from, Gid to) {
        ipv4 = from.isIpv4Mapped() && to.isIpv4Mapped();
        header.putLong(0, -1L);
        if (ipv4) {
            udp = IP + IPV4_LENGTH;
            header.putShort(IP, (short) 0x45FF);
            header.putShort(IP + 6, (short) DONT_FRAGMENT);
            header.putInt(IP + 8, 0xFF00_FFFF | UDP_PROTOCOL << 16);
            header.putInt(IP + 12, from.ipv4());
            header.putInt(IP + 16, to.ipv4());
        } else {
            udp = IP + IPV6_LENGTH;
            header.putInt(IP, 0x6FFF_FFFF);
            header.putShort(IP + 6, (short) (UDP_PROTOCOL << 8 | 0xFF));
            header.putLong(IP + 8, from.high());
            header.putLong(IP + 16, from.low());
            header.putLong(IP + 24, to.high());
            header.putLong(IP + 32, to.low());
        }
        header.putShort(udp + 6, (short) 0xFFFF);
    }

    /**
     * Completes the header for a packet of {@code length} bytes from BTH to ICRC, copies its BTH with byte 4 masked, and
     * returns how many bytes of {@link #array} to hash.
     */
    int prepare(ByteBuffer packet, int offset, int length, int identification) {
        int udpLength = UDP_LENGTH + length;
        if (ipv4) {
            header.putInt(IP + 2, (IPV4_LENGTH + udpLength) << 16 | identification & 0xFFFF);
        } else {
            header.putShort(IP + 4, (short) udpLength);
        }
        header.putShort(udp + 4, (short) udpLength);
        int bth = udp + UDP_LENGTH;
        header.putInt(bth, packet.getInt(offset));
        header.putInt(bth + 4, packet.getInt(offset + 4) | 0xFF00_0000);
        header.putInt(bth + 8, packet.getInt(offset + 8));
        return bth + Bth.LENGTH;
    }

    byte[] array() {
        return header.array();
    }
}
