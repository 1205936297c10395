package io.srpt.roce.packet;

import io.srpt.verbs.Gid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes datagrams to a classic pcap file (Ethernet, nanoseconds) with the headers a socket does not show: Ethernet with
 * zero addresses, IPv4 (DF set, right checksum) or IPv6, UDP with checksum 0.
 *
 * <pre>
 * record: seconds (4) | nanoseconds (4) | captured (4) | original (4) | Ethernet (14) | IPv4 (20) or IPv6 (40) | UDP (8) | datagram
 * </pre>
 *
 * <p>For one event loop. Records gather in a buffer that is written when full, at {@link #flush} and at {@link #close};
 * such a write blocks the loop for its time, so this is a debugging aid. The file stops growing at its bound. When a
 * write fails (disk full) the capture ends with one line in the log; no method but {@link #open} throws. Allocates nothing
 * per packet.
 */
public final class PcapWriter implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PcapWriter.class);

    private static final int MAGIC_NANOSECONDS = 0xA1B2_3C4D;
    private static final int LINK_TYPE_ETHERNET = 1;
    private static final int FILE_HEADER_LENGTH = 24;
    private static final int RECORD_HEADER_LENGTH = 16;
    private static final int ETHERNET_LENGTH = 14;
    private static final int MAX_HEADERS =
            RECORD_HEADER_LENGTH + ETHERNET_LENGTH + FlowHeader.IPV6_LENGTH + FlowHeader.UDP_LENGTH;
    private static final int SNAP_LENGTH = 1 << 17;
    private static final int BUFFER_LENGTH = 1 << 18;
    private static final long NANOS = 1_000_000_000L;
    private static final int HOP_LIMIT = 64;

    private final Path path;
    private final FileChannel channel;
    private final long maxBytes;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private long bytes;
    private long packets;
    private long skipped;
    private boolean enabled = true;

    private PcapWriter(Path path, FileChannel channel, long maxBytes) {
        this.path = path;
        this.channel = channel;
        this.maxBytes = maxBytes;
        buffer.putInt(MAGIC_NANOSECONDS)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(0)
                .putInt(0);
        buffer.putInt(SNAP_LENGTH).putInt(LINK_TYPE_ETHERNET);
        bytes = FILE_HEADER_LENGTH;
    }

    /**
     * Creates or overwrites {@code path}; the file will not exceed {@code maxBytes}.
     *
     * @throws IOException when the file cannot be opened
     */
    public static PcapWriter open(Path path, long maxBytes) throws IOException {
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        return new PcapWriter(path, channel, maxBytes);
    }

    /** Whether it still records: false after a failed write, at the bound, and after {@link #close}. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Packets recorded. */
    public long packets() {
        return packets;
    }

    /** Packets not recorded, because the capture had ended or the arguments named no datagram. */
    public long skipped() {
        return skipped;
    }

    /**
     * Records one datagram.
     *
     * @param epochNanos wall-clock time, nanoseconds since 1970
     * @param flow its addresses and ports
     * @param packet holds the UDP payload, BTH to ICRC; position and limit are not touched
     * @param offset where it starts
     * @param length its bytes
     * @param identification IPv4 identification, 0 or {@link Icrc#identification}; unused over IPv6
     */
    public void write(long epochNanos, FlowHeader flow, ByteBuffer packet, int offset, int length, int identification) {
        if (!enabled || !isDatagram(packet, offset, length)) {
            skipped++;
            return;
        }
        int ipLength = flow.isIpv4() ? FlowHeader.IPV4_LENGTH : FlowHeader.IPV6_LENGTH;
        int frame = ETHERNET_LENGTH + ipLength + FlowHeader.UDP_LENGTH + length;
        if (bytes + RECORD_HEADER_LENGTH + frame > maxBytes) {
            skipped++;
            endAtBound();
            return;
        }
        if (buffer.remaining() < MAX_HEADERS + length) {
            flush();
            if (!enabled) {
                skipped++;
                return;
            }
        }
        putRecord(epochNanos, frame, flow, packet, offset, length, identification);
        bytes += RECORD_HEADER_LENGTH + frame;
        packets++;
    }

    private void putRecord(
            long epochNanos,
            int frame,
            FlowHeader flow,
            ByteBuffer packet,
            int offset,
            int length,
            int identification) {
        buffer.putInt((int) (epochNanos / NANOS))
                .putInt((int) (epochNanos % NANOS))
                .putInt(frame)
                .putInt(frame);
        if (flow.isIpv4()) {
            putIpv4(flow, FlowHeader.IPV4_LENGTH + FlowHeader.UDP_LENGTH + length, identification);
        } else {
            putIpv6(flow, FlowHeader.UDP_LENGTH + length);
        }
        buffer.putShort((short) flow.sourcePort()).putShort((short) flow.destinationPort());
        buffer.putShort((short) (FlowHeader.UDP_LENGTH + length)).putShort((short) 0);
        buffer.put(buffer.position(), packet, offset, length).position(buffer.position() + length);
    }

    private static boolean isDatagram(ByteBuffer packet, int offset, int length) {
        return offset >= 0 && length >= 0 && length <= Icrc.MAX_PACKET_LENGTH && offset <= packet.limit() - length;
    }

    private void putEthernet(int etherType) {
        buffer.putLong(0).putInt(0).putShort((short) etherType);
    }

    private void putIpv4(FlowHeader flow, int totalLength, int identification) {
        putEthernet(0x0800);
        int start = buffer.position();
        buffer.putInt(0x4500_0000 | totalLength);
        buffer.putInt(identification << 16 | FlowHeader.DONT_FRAGMENT);
        buffer.putInt(HOP_LIMIT << 24 | 17 << 16);
        buffer.putInt(flow.source().ipv4()).putInt(flow.destination().ipv4());
        int sum = 0;
        for (int i = 0; i < FlowHeader.IPV4_LENGTH; i += 2) {
            sum += buffer.getShort(start + i) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        sum += sum >>> 16;
        buffer.putShort(start + 10, (short) ~sum);
    }

    private void putIpv6(FlowHeader flow, int payloadLength) {
        putEthernet(0x86DD);
        buffer.putInt(0x6000_0000).putInt(payloadLength << 16 | 17 << 8 | HOP_LIMIT);
        putGid(flow.source());
        putGid(flow.destination());
    }

    private void putGid(Gid gid) {
        buffer.putLong(gid.high()).putLong(gid.low());
    }

    /** Hands what has gathered to the file system. */
    public void flush() {
        if (!enabled) {
            return;
        }
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            enabled = false;
            log.warn("packet capture {} ended after {} packets: {}", path, packets, e.toString());
        } finally {
            buffer.clear();
        }
    }

    private void endAtBound() {
        flush();
        if (enabled) {
            enabled = false;
            log.info("packet capture {} ended after {} packets: it reached {} bytes", path, packets, maxBytes);
        }
    }

    /** Writes the rest and closes the file. */
    @Override
    public void close() {
        flush();
        enabled = false;
        try {
            channel.close();
        } catch (IOException e) {
            log.warn("packet capture {} did not close: {}", path, e.toString());
        }
    }
}
