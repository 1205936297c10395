package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.roce.packet.PcapReader.Datagram;
import io.srpt.verbs.Gid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketDescriptionTest {

    @Test
    void aReadRequest() {
        ByteBuffer packet = ByteBuffer.allocate(40);
        new Bth().wrap(packet, 4).put(Opcode.RC_READ_REQUEST, false, 0, 0xFFFF, 0x11, true, 77);
        new Reth().wrap(packet, 16).virtualAddress(-16).remoteKey(0x1234).dmaLength(4096);
        assertThat(PacketDescription.describe(packet, 4, 32))
                .isEqualTo("RC_READ_REQUEST qp 0x11 psn 77 ack-request va 0xfffffffffffffff0 rkey 0x1234 length 4096");
    }

    @Test
    void anAcknowledgementAndADatagram() {
        ByteBuffer packet = ByteBuffer.allocate(300);
        new Bth().wrap(packet, 0).put(Opcode.RC_ACKNOWLEDGE, false, 0, 0xFFFF, 0x11, false, 5);
        new Aeth().wrap(packet, 12).put(AethSyndrome.rnrNak(1), 3);
        assertThat(PacketDescription.describe(packet, 0, 20))
                .isEqualTo("RC_ACKNOWLEDGE qp 0x11 psn 5 RNR NAK 0.01 ms msn 3");
        new Bth().wrap(packet, 0).put(Opcode.UD_SEND_ONLY, true, 1, 0x7FFF, 1, false, 5);
        new Deth().wrap(packet, 12).put(0x80010000, 1);
        assertThat(PacketDescription.describe(packet, 0, 280))
                .isEqualTo(
                        "UD_SEND_ONLY qp 0x1 psn 5 pkey 0x7fff solicited pad 1 from qp 0x1 qkey 0x80010000 payload 255");
    }

    @Test
    void everyCapturedPacketHasADescription() throws IOException {
        for (Datagram datagram : Captures.all()) {
            String text = PacketDescription.describe(datagram.direct(0), 0, datagram.payload().length);
            assertThat(text).matches("[A-Z]+_[A-Z_]+ qp 0x.*").doesNotContain("truncated", "reserved");
        }
    }

    @Test
    void randomAndTruncatedBytesNeverThrow() throws IOException {
        long seed = 99;
        Random random = new Random(seed);
        Icrc icrc = new Icrc();
        FlowHeader flow = new FlowHeader(Gid.parse("192.0.2.1"), Gid.parse("192.0.2.2"), 1);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            probe(ByteBuffer.wrap(bytes), random.nextInt(80) - 8, random.nextInt(80) - 8, icrc, flow);
        }
        for (Datagram datagram : PcapReader.roce("dm-v4.pcap")) {
            for (int length = 0; length <= datagram.payload().length; length++) {
                ByteBuffer truncated = ByteBuffer.allocateDirect(length).put(0, datagram.payload(), 0, length);
                probe(truncated, 0, length, icrc, flow);
            }
        }
    }

    private static void probe(ByteBuffer packet, int offset, int length, Icrc icrc, FlowHeader flow) {
        assertThat(PacketDescription.describe(packet, offset, length)).isNotEmpty();
        assertThat(icrc.verify(packet, offset, length, flow)).isNotNull();
        if (packet.limit() > 0) {
            assertThat(Opcode.headerLength(packet.get(0))).isBetween(Bth.LENGTH, 40);
        }
    }
}
