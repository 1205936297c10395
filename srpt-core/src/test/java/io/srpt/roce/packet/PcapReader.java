package io.srpt.roce.packet;

import io.srpt.verbs.Gid;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the UDP datagrams of a classic pcap file: either byte order, micro- or nanoseconds, Ethernet with any number of
 * VLAN tags, IPv4 with options, IPv6 without extension headers. Other frames and fragments are left out.
 */
public final class PcapReader {

    /**
     * A datagram of a capture.
     *
     * @param epochNanos when it was captured
     * @param ipHeader the IPv4 or IPv6 header as captured
     * @param identification IPv4 identification, 0 for IPv6
     * @param dontFragment DF of IPv4, true for IPv6
     * @param udpChecksum as captured
     * @param payload the UDP payload
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Datagram(
            long epochNanos,
            byte[] ipHeader,
            int identification,
            boolean dontFragment,
            Gid source,
            Gid destination,
            int sourcePort,
            int destinationPort,
            int udpChecksum,
            byte[] payload) {

        public FlowHeader flow() {
            return new FlowHeader(source, destination, sourcePort, destinationPort);
        }

        public boolean isIpv4() {
            return ipHeader[0] >> 4 == 4;
        }

        /** The payload in a direct buffer, at an odd place to show that offsets are honoured. */
        public ByteBuffer direct(int offset) {
            return ByteBuffer.allocateDirect(offset + payload.length + 4).put(offset, payload);
        }
    }

    private static final int MAGIC_MICROSECONDS = 0xA1B2C3D4;
    private static final int MAGIC_NANOSECONDS = 0xA1B23C4D;

    private PcapReader() {}

    /** All UDP datagrams of a file. */
    public static List<Datagram> read(Path file) throws IOException {
        return read(ByteBuffer.wrap(Files.readAllBytes(file)));
    }

    /** The RoCEv2 datagrams of a capture among the test resources. */
    public static List<Datagram> roce(String capture) throws IOException {
        try (InputStream in = PcapReader.class.getResourceAsStream("/captures/" + capture)) {
            if (in == null) {
                throw new IOException("no capture " + capture);
            }
            return read(ByteBuffer.wrap(in.readAllBytes())).stream()
                    .filter(d -> d.destinationPort() == FlowHeader.ROCE_PORT)
                    .toList();
        }
    }

    private static List<Datagram> read(ByteBuffer file) throws IOException {
        int magic = file.getInt(0);
        if (magic != MAGIC_MICROSECONDS && magic != MAGIC_NANOSECONDS) {
            file.order(ByteOrder.LITTLE_ENDIAN);
            magic = file.getInt(0);
        }
        if (magic != MAGIC_MICROSECONDS && magic != MAGIC_NANOSECONDS || file.getInt(20) != 1) {
            throw new IOException("not a pcap file of Ethernet frames");
        }
        long unit = magic == MAGIC_NANOSECONDS ? 1 : 1000;
        List<Datagram> datagrams = new ArrayList<>();
        int at = 24;
        while (at < file.limit()) {
            long nanos = file.getInt(at) * 1_000_000_000L + file.getInt(at + 4) * unit;
            int captured = file.getInt(at + 8);
            if (captured != file.getInt(at + 12)) {
                throw new IOException("cut frame at " + at);
            }
            addDatagram(datagrams, nanos, file.slice(at + 16, captured));
            at += 16 + captured;
        }
        return datagrams;
    }

    private static void addDatagram(List<Datagram> datagrams, long nanos, ByteBuffer frame) {
        int at = 12;
        while (frame.getShort(at) == (short) 0x8100 || frame.getShort(at) == (short) 0x88A8) {
            at += 4;
        }
        int etherType = frame.getShort(at) & 0xFFFF;
        int ip = at + 2;
        if (etherType == 0x0800 && frame.get(ip + 9) == 17 && (frame.getShort(ip + 6) & 0x3FFF) == 0) {
            int ipLength = (frame.get(ip) & 0x0F) * 4;
            Gid source = Gid.ofIpv4(frame.getInt(ip + 12));
            Gid destination = Gid.ofIpv4(frame.getInt(ip + 16));
            int identification = frame.getShort(ip + 4) & 0xFFFF;
            boolean dontFragment = (frame.getShort(ip + 6) & 0x4000) != 0;
            datagrams.add(datagram(nanos, frame, ip, ipLength, identification, dontFragment, source, destination));
        } else if (etherType == 0x86DD && frame.get(ip + 6) == 17) {
            Gid source = Gid.read(frame, ip + 8);
            Gid destination = Gid.read(frame, ip + 24);
            datagrams.add(datagram(nanos, frame, ip, 40, 0, true, source, destination));
        }
    }

    private static Datagram datagram(
            long nanos, ByteBuffer frame, int ip, int ipLength, int id, boolean df, Gid source, Gid destination) {
        byte[] ipHeader = new byte[ipLength];
        frame.get(ip, ipHeader);
        int udp = ip + ipLength;
        byte[] payload = new byte[(frame.getShort(udp + 4) & 0xFFFF) - 8];
        frame.get(udp + 8, payload);
        int ports = frame.getInt(udp);
        int checksum = frame.getShort(udp + 6) & 0xFFFF;
        return new Datagram(
                nanos, ipHeader, id, df, source, destination, ports >>> 16, ports & 0xFFFF, checksum, payload);
    }
}
