package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.srpt.roce.packet.PcapReader.Datagram;
import io.srpt.verbs.Gid;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class IcrcTest {

    private static final Gid IPV4_A = Gid.parse("192.0.2.20");
    private static final Gid IPV4_B = Gid.parse("192.0.2.21");
    private static final Gid IPV6_A = Gid.parse("fd5a:1::20");
    private static final Gid IPV6_B = Gid.parse("fd5a:1::21");
    private static final int PORT = 0xF972;

    @SuppressWarnings("unused")
    private static final List<String> CAPTURES = Captures.FILES;

    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void everyCapturedPacketVerifiesAndGivesBackItsIdentification(String capture) throws IOException {
        List<Datagram> datagrams = PcapReader.roce(capture);
        assertThat(datagrams).isNotEmpty();
        for (Datagram datagram : datagrams) {
            ByteBuffer packet = datagram.direct(3);
            int length = datagram.payload().length;
            assertThat(icrc.verify(packet, 3, length, datagram.flow()))
                    .as(() -> capture + ": " + PacketDescription.describe(packet, 3, length))
                    .isEqualTo(IcrcVerdict.OK);
            assertThat(icrc.identification()).isEqualTo(datagram.identification());
            assertThat(packet.position()).isZero();
            assertThat(packet.limit()).isEqualTo(packet.capacity());
        }
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void everyCapturedPacketIsReproducedWithItsIdentification(String capture) throws IOException {
        for (Datagram datagram : PcapReader.roce(capture)) {
            if (!datagram.dontFragment()) {
                continue;
            }
            ByteBuffer packet = datagram.direct(5);
            int length = datagram.payload().length;
            packet.putInt(5 + length - Icrc.LENGTH, 0);
            int total = icrc.appendTo(packet, 5, length - Icrc.LENGTH, datagram.flow(), datagram.identification());
            assertThat(total).isEqualTo(length);
            assertThat(packet.slice(5, length)).isEqualTo(ByteBuffer.wrap(datagram.payload()));
        }
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void aPayloadThatIsElsewhereMakesTheSameIcrc(String capture) throws IOException {
        for (Datagram datagram : PcapReader.roce(capture)) {
            int length = datagram.payload().length - Icrc.LENGTH;
            if (!datagram.dontFragment()) {
                continue;
            }
            ByteBuffer whole = datagram.direct(0);
            int pad = new Bth().wrap(whole, 0).padCount();
            int bytes = length - pad - Bth.LENGTH;
            ByteBuffer elsewhere = ByteBuffer.allocateDirect(bytes + 9).put(9, whole, Bth.LENGTH, bytes);
            ByteBuffer packet =
                    ByteBuffer.allocateDirect(Bth.LENGTH + pad + Icrc.LENGTH).put(0, whole, 0, Bth.LENGTH);
            int total = icrc.appendTo(
                    packet, Bth.LENGTH, elsewhere, 9, bytes, pad, datagram.flow(), datagram.identification());
            assertThat(total).isEqualTo(length + Icrc.LENGTH);
            assertThat(packet.getInt(Bth.LENGTH + pad)).isEqualTo(whole.getInt(length));
            assertThat(elsewhere.position()).isZero();
            assertThat(elsewhere.limit()).isEqualTo(elsewhere.capacity());
        }
    }

    @Test
    void unreliableConnectedSendOnly() {
        byte[] payload = HexFormat.of().parseHex("4630818be28935d90e9a95505401be885e500000");
        ByteBuffer packet = ByteBuffer.allocate(Bth.LENGTH + payload.length + Icrc.LENGTH);
        new Bth()
                .wrap(packet, 0)
                .put(0x24, false, 2, 0xFFFF, 211, false, 13571856)
                .migrationRequest(true);
        packet.put(Bth.LENGTH, payload);
        FlowHeader flow = new FlowHeader(Gid.parse("192.168.0.7"), Gid.parse("192.168.0.7"), 49152);
        int length = icrc.appendTo(packet, 0, Bth.LENGTH + payload.length, flow, 1144);
        assertThat(packet.getInt(length - Icrc.LENGTH)).isEqualTo(0x78f353f3);
        assertThat(icrc.verify(packet, 0, length, flow)).isEqualTo(IcrcVerdict.OK);
        assertThat(icrc.identification()).isEqualTo(1144);
    }

    @Test
    void congestionNotificationOfAnAdapter() {
        byte[] bytes = HexFormat.of().parseHex("8100ffff40000118000000000000000000000000000000000000000082fd002a");
        FlowHeader flow = new FlowHeader(Gid.parse("10.0.17.1"), Gid.parse("10.0.18.1"), 0);
        assertThat(icrc.verify(ByteBuffer.wrap(bytes), 0, bytes.length, flow)).isEqualTo(IcrcVerdict.OK);
        assertThat(icrc.identification()).isEqualTo(0x718C);
    }

    @Test
    void acknowledgementsOverBothIpVersions() {
        byte[] overIpv4 = HexFormat.of().parseHex("1100ffff00000011001cf39e1f0000017a6b69c3");
        FlowHeader ipv4 = new FlowHeader(IPV4_B, IPV4_A, 0xF972);
        assertThat(icrc.verify(ByteBuffer.wrap(overIpv4), 0, 20, ipv4)).isEqualTo(IcrcVerdict.OK);
        assertThat(icrc.identification()).isEqualTo(0x4359);

        byte[] overIpv6 = HexFormat.of().parseHex("1100ffff0000001100c43b511f000001b87cbc28");
        FlowHeader ipv6 = new FlowHeader(IPV6_B, IPV6_A, 0xE651);
        assertThat(icrc.verify(ByteBuffer.wrap(overIpv6), 0, 20, ipv6)).isEqualTo(IcrcVerdict.OK);
        assertThat(icrc.identification()).isZero();
    }

    @Test
    void aPacketSentWithoutDontFragmentIsAccepted() {
        // The ACK of the worked example, its checksum recomputed over an IPv4 header with flags 0 by the plain
        // definition.
        String headers = "ffffffffffffffff45ff003043590000ff11ffffc0000215c0000214f97212b7001cffff";
        String packet = "1100ffff00000011001cf39e1f000001";
        CRC32 crc = new CRC32();
        crc.update(HexFormat.of().parseHex(headers));
        crc.update(HexFormat.of().parseHex("1100ffffff000011001cf39e1f000001"));
        ByteBuffer bytes = ByteBuffer.allocate(20).put(0, HexFormat.of().parseHex(packet));
        bytes.putInt(16, Integer.reverseBytes((int) crc.getValue()));
        assertThat(icrc.verify(bytes, 0, 20, new FlowHeader(IPV4_B, IPV4_A, PORT)))
                .isEqualTo(IcrcVerdict.OK);
        assertThat(icrc.identification()).isEqualTo(0x4359);
    }

    @Test
    @Tag("pitfall-45")
    void everyIdentificationIsRecoveredAtEveryLength() {
        long seed = 16;
        Random random = new Random(seed);
        FlowHeader flow = new FlowHeader(IPV4_A, IPV4_B, PORT);
        ByteBuffer packet = ByteBuffer.allocateDirect(65_536);
        for (int id = 0; id < 65_536; id++) {
            int length = Bth.LENGTH + 4 * random.nextInt(id % 64 == 0 ? 16_000 : 64);
            packet.putInt(0, random.nextInt());
            int total = icrc.appendTo(packet, 0, length, flow, id);
            assertThat(icrc.verify(packet, 0, total, flow)).as("seed %d", seed).isEqualTo(IcrcVerdict.OK);
            assertThat(icrc.identification()).as("length %d", length).isEqualTo(id);
        }
    }

    @Test
    void theLongestDatagramsVerify() {
        ByteBuffer packet = ByteBuffer.allocateDirect(65_536);
        for (int length = 65_504; length >= 65_000; length -= 4) {
            FlowHeader ipv4 = new FlowHeader(IPV4_A, IPV4_B, PORT);
            assertThat(icrc.appendTo(packet, 0, length - Icrc.LENGTH, ipv4, 7)).isEqualTo(length);
            assertThat(icrc.verify(packet, 0, length, ipv4)).isEqualTo(IcrcVerdict.OK);
            assertThat(icrc.identification()).isEqualTo(7);
        }
    }

    @Test
    void congestionBitsAreNotCovered() {
        FlowHeader flow = new FlowHeader(IPV6_A, IPV6_B, PORT);
        ByteBuffer packet = acknowledgement(flow);
        new Bth().wrap(packet, 0).fecn(true).becn(true);
        assertThat(icrc.verify(packet, 0, 20, flow)).isEqualTo(IcrcVerdict.OK);
    }

    @Test
    void aFlippedBitIsRefusedOverIpv6() throws IOException {
        long seed = 61;
        Random random = new Random(seed);
        List<Datagram> datagrams = PcapReader.roce("srp-login-io-v6.pcap");
        for (int i = 0; i < 20_000; i++) {
            Datagram datagram = datagrams.get(random.nextInt(datagrams.size()));
            byte[] bytes = datagram.payload().clone();
            int index = flipOneBit(bytes, random);
            assertThat(icrc.verify(ByteBuffer.wrap(bytes), 0, bytes.length, datagram.flow()))
                    .as("seed %d, byte %d", seed, index)
                    .isEqualTo(IcrcVerdict.MISMATCH);
            assertThat(icrc.identification()).isZero();
        }
    }

    @Test
    void aFlippedBitIsRefusedOverIpv4() throws IOException {
        long seed = 41;
        Random random = new Random(seed);
        List<Datagram> datagrams = PcapReader.roce("srp-login-io.pcap");
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            Datagram datagram = datagrams.get(random.nextInt(datagrams.size()));
            byte[] bytes = datagram.payload().clone();
            flipOneBit(bytes, random);
            if (icrc.verify(ByteBuffer.wrap(bytes), 0, bytes.length, datagram.flow()) == IcrcVerdict.OK) {
                accepted++;
            }
        }
        assertThat(accepted).as("seed %d", seed).isLessThanOrEqualTo(2);
    }

    @Test
    void randomDamageOverIpv4PassesAsRarelyAsPromised() {
        long seed = 42;
        Random random = new Random(seed);
        FlowHeader flow = new FlowHeader(IPV4_A, IPV4_B, PORT);
        byte[] bytes = new byte[64];
        int accepted = 0;
        int trials = 1 << 19;
        for (int i = 0; i < trials; i++) {
            random.nextBytes(bytes);
            if (icrc.verify(ByteBuffer.wrap(bytes), 0, bytes.length, flow) == IcrcVerdict.OK) {
                accepted++;
            }
        }
        // 2 in 65,536 are 16 expected; four standard deviations above.
        assertThat(accepted).as("seed %d", seed).isLessThanOrEqualTo(32);
    }

    private static int flipOneBit(byte[] bytes, Random random) {
        int index = random.nextInt(bytes.length - 1);
        index = index >= Bth.CONGESTION_OFFSET ? index + 1 : index;
        bytes[index] ^= (byte) (1 << random.nextInt(8));
        return index;
    }

    @Test
    void anotherFlowIsRefused() {
        FlowHeader flow = new FlowHeader(IPV6_A, IPV6_B, PORT);
        ByteBuffer packet = acknowledgement(flow);
        FlowHeader other = new FlowHeader(IPV6_B, IPV6_A, PORT);
        assertThat(icrc.verify(packet, 0, 20, other)).isEqualTo(IcrcVerdict.MISMATCH);
        assertThat(icrc.verify(packet, 0, 20, other.set(IPV6_A, IPV6_B, PORT, 4790)))
                .isEqualTo(IcrcVerdict.MISMATCH);
        assertThat(icrc.verify(packet, 0, 20, other.ports(PORT, FlowHeader.ROCE_PORT)))
                .isEqualTo(IcrcVerdict.OK);
    }

    @Test
    void aFlowHeaderServesOneFlowAfterAnother() {
        FlowHeader reused = new FlowHeader(IPV6_A, IPV6_B, 1);
        for (FlowHeader flow : List.of(
                new FlowHeader(IPV4_A, IPV4_B, 65_535),
                new FlowHeader(IPV6_B, IPV6_A, 0),
                new FlowHeader(IPV4_B, IPV4_A, PORT))) {
            ByteBuffer packet = acknowledgement(flow);
            reused.set(flow.source(), flow.destination(), flow.sourcePort(), flow.destinationPort());
            assertThat(icrc.verify(packet, 0, 20, reused)).isEqualTo(IcrcVerdict.OK);
            assertThat(icrc.identification()).isZero();
            assertThat(reused.isIpv4()).isEqualTo(flow.isIpv4());
        }
    }

    @Test
    void impossibleLengthsAreRefused() {
        FlowHeader flow = new FlowHeader(IPV4_A, IPV4_B, PORT);
        ByteBuffer packet = ByteBuffer.allocateDirect(64);
        for (int length : new int[] {Integer.MIN_VALUE, -4, 0, 12, 15, 17, 18, 19, 68, 65_536, Integer.MAX_VALUE}) {
            assertThat(icrc.verify(packet, 0, length, flow)).as("%d", length).isEqualTo(IcrcVerdict.BAD_LENGTH);
        }
        for (int offset : new int[] {Integer.MIN_VALUE, -1, 49, Integer.MAX_VALUE}) {
            assertThat(icrc.verify(packet, offset, 16, flow)).as("%d", offset).isEqualTo(IcrcVerdict.BAD_LENGTH);
        }
        assertThat(icrc.verify(packet.limit(16), 0, 20, flow)).isEqualTo(IcrcVerdict.BAD_LENGTH);
    }

    @Test
    void positionAndLimitAreLeftAlone() {
        FlowHeader flow = new FlowHeader(IPV4_A, IPV4_B, PORT);
        for (ByteBuffer packet : List.of(ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64))) {
            packet.position(50).limit(60);
            int length = icrc.appendTo(packet, 8, 32, flow);
            assertThat(icrc.verify(packet, 8, length, flow)).isEqualTo(IcrcVerdict.OK);
            assertThat(packet.position()).isEqualTo(50);
            assertThat(packet.limit()).isEqualTo(60);
        }
    }

    @Test
    void neitherDirectionAllocates() {
        FlowHeader ipv4 = new FlowHeader(IPV4_A, IPV4_B, PORT);
        FlowHeader ipv6 = new FlowHeader(IPV6_A, IPV6_B, PORT);
        ByteBuffer packet = ByteBuffer.allocateDirect(1200);
        exercise(packet, ipv4, ipv6);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        int accepted = exercise(packet, ipv4, ipv6);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(accepted).isEqualTo(200_000);
        assertThat(allocated).isLessThan(100_000);
    }

    private int exercise(ByteBuffer packet, FlowHeader ipv4, FlowHeader ipv6) {
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            int length = icrc.appendTo(packet, 0, 1040, ipv4, i & 0xFFFF);
            accepted += icrc.verify(packet, 0, length, ipv4.sourcePort(PORT)) == IcrcVerdict.OK ? 1 : 0;
            length = icrc.appendTo(packet, 0, 40, ipv6);
            accepted += icrc.verify(packet, 0, length, ipv6) == IcrcVerdict.OK ? 1 : 0;
        }
        return accepted;
    }

    private ByteBuffer acknowledgement(FlowHeader flow) {
        ByteBuffer packet = ByteBuffer.allocateDirect(20);
        new Bth().wrap(packet, 0).put(Opcode.RC_ACKNOWLEDGE, false, 0, 0xFFFF, 0x11, false, 0x1CF39E);
        new Aeth().wrap(packet, Bth.LENGTH).put(AethSyndrome.ACK_NO_CREDITS, 1);
        icrc.appendTo(packet, 0, 16, flow);
        return packet;
    }
}
