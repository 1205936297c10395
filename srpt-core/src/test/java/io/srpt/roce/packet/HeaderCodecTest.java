package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.roce.packet.PcapReader.Datagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class HeaderCodecTest {

    @SuppressWarnings("unused")
    private static final List<String> CAPTURES = Captures.FILES;

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void everyCapturedHeaderDecodesAndEncodesEqual(String capture) throws IOException {
        var datagrams = PcapReader.roce(capture);
        assertThat(datagrams).isNotEmpty();
        for (Datagram datagram : datagrams) {
            ByteBuffer wire = ByteBuffer.wrap(datagram.payload());
            int opcode = new Bth().wrap(wire, 0).opcode();
            assertThat(Opcode.isKnown(opcode)).as(Opcode.name(opcode)).isTrue();
            int length = Opcode.headerLength(opcode);
            ByteBuffer encoded = ByteBuffer.allocateDirect(3 + length);
            copyBth(new Bth().wrap(wire, 0), new Bth().wrap(encoded, 3));
            copyExtendedHeaders(opcode, wire, 0, encoded, 3);
            clearReservedBits(wire);
            assertThat(encoded.slice(3, length)).as(Opcode.name(opcode)).isEqualTo(wire.slice(0, length));
        }
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void everyCapturedPacketHasTheLengthItsOpcodeAllows(String capture) throws IOException {
        for (Datagram datagram : PcapReader.roce(capture)) {
            Bth bth = new Bth().wrap(ByteBuffer.wrap(datagram.payload()), 0);
            int payload = datagram.payload().length - Opcode.headerLength(bth.opcode()) - bth.padCount() - Icrc.LENGTH;
            String name = Opcode.name(bth.opcode());
            if (!Opcode.hasPayload(bth.opcode())) {
                assertThat(payload).as(name).isZero();
            } else if (Opcode.isFirst(bth.opcode()) || Opcode.isMiddle(bth.opcode())) {
                assertThat(PathMtu.floor(payload)).as(name).isNotNull();
            } else {
                assertThat(payload).as(name).isBetween(0, PathMtu.MTU_4096.bytes());
            }
        }
    }

    /** The adapter of the hardware capture sets a reserved bit beside FECN and BECN, which no accessor shows. */
    private static void clearReservedBits(ByteBuffer wire) {
        wire.put(Bth.CONGESTION_OFFSET, (byte) (wire.get(Bth.CONGESTION_OFFSET) & 0xC0));
        wire.put(Bth.ACK_REQUEST_OFFSET, (byte) (wire.get(Bth.ACK_REQUEST_OFFSET) & 0x80));
    }

    private static void copyBth(Bth from, Bth to) {
        to.opcode(from.opcode())
                .solicitedEvent(from.solicitedEvent())
                .migrationRequest(from.migrationRequest())
                .padCount(from.padCount())
                .version(from.version())
                .partitionKey(from.partitionKey())
                .fecn(from.fecn())
                .becn(from.becn())
                .destinationQp(from.destinationQp())
                .ackRequest(from.ackRequest())
                .psn(from.psn());
    }

    private static void copyExtendedHeaders(int opcode, ByteBuffer from, int fromBth, ByteBuffer to, int toBth) {
        int source = fromBth + Bth.LENGTH;
        int target = toBth + Bth.LENGTH;
        if (Opcode.hasReth(opcode)) {
            Reth reth = new Reth().wrap(from, source);
            new Reth()
                    .wrap(to, target)
                    .virtualAddress(reth.virtualAddress())
                    .remoteKey(reth.remoteKey())
                    .dmaLength(reth.dmaLength());
        }
        if (Opcode.hasAeth(opcode)) {
            Aeth aeth = new Aeth().wrap(from, source);
            new Aeth().wrap(to, target).msn(aeth.msn()).syndrome(aeth.syndrome());
        }
        if (Opcode.hasDeth(opcode)) {
            Deth deth = new Deth().wrap(from, source);
            new Deth().wrap(to, target).queueKey(deth.queueKey()).sourceQp(deth.sourceQp());
        }
        if (Opcode.hasAtomicEth(opcode)) {
            AtomicEth atomic = new AtomicEth().wrap(from, source);
            new AtomicEth()
                    .wrap(to, target)
                    .virtualAddress(atomic.virtualAddress())
                    .remoteKey(atomic.remoteKey())
                    .swapOrAdd(atomic.swapOrAdd())
                    .compare(atomic.compare());
        }
        if (Opcode.hasAtomicAckEth(opcode)) {
            to.putLong(target + Aeth.LENGTH, from.getLong(source + Aeth.LENGTH));
        }
        int trailer = Opcode.immediateOffset(opcode);
        if (Opcode.hasImm(opcode)) {
            int data = new ImmDt().wrap(from, fromBth + trailer).immediateData();
            new ImmDt().wrap(to, toBth + trailer).immediateData(data);
        } else if (Opcode.hasIeth(opcode)) {
            int key = new Ieth().wrap(from, fromBth + trailer).remoteKey();
            new Ieth().wrap(to, toBth + trailer).remoteKey(key);
        }
    }

    @Test
    void bthFieldsLieWhereTheSpecificationPutsThem() {
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex("ffffffffffffffffffffffff"));
        Bth bth = new Bth().wrap(buffer, 0).put(0x0C, true, 3, 0x7FFF, 0x123456, true, 0xABCDEF);
        assertThat(buffer.array()).isEqualTo(HexFormat.of().parseHex("0cb07fff0012345680abcdef"));
        bth.migrationRequest(true).fecn(true).becn(true).version(5).padCount(1).solicitedEvent(false);
        assertThat(buffer.array()).isEqualTo(HexFormat.of().parseHex("0c557fffc012345680abcdef"));
        bth.put(0x11, false, 0, Bth.DEFAULT_PARTITION_KEY, 0x1F000001, false, 0x1F000002);
        assertThat(buffer.array()).isEqualTo(HexFormat.of().parseHex("1100ffff0000000100000002"));
    }

    @Test
    void a24BitSetterKeepsTheByteBeforeIt() {
        ByteBuffer buffer = ByteBuffer.allocate(Bth.LENGTH);
        Bth bth = new Bth().wrap(buffer, 0).ackRequest(true).fecn(true);
        bth.psn(0xFFFF_FFFF).destinationQp(0xFFFF_FFFF);
        assertThat(bth.ackRequest()).isTrue();
        assertThat(bth.becn()).isFalse();
        assertThat(bth.psn()).isEqualTo(0xFFFFFF);
        bth.psn(0).ackRequest(false);
        assertThat(buffer.getInt(Bth.ACK_REQUEST_OFFSET)).isZero();
    }

    @Test
    void extendedHeadersLieWhereTheSpecificationPutsThem() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        new Reth()
                .wrap(buffer, 1)
                .virtualAddress(0x0102030405060708L)
                .remoteKey(0x090A0B0C)
                .dmaLength(0xF0000001L);
        assertThat(HexFormat.of().formatHex(buffer.array(), 1, 17)).isEqualTo("0102030405060708090a0b0cf0000001");
        assertThat(new Reth().wrap(buffer, 1).dmaLength()).isEqualTo(0xF0000001L);
        new Aeth().wrap(buffer, 20).put(AethSyndrome.NAK_REMOTE_ACCESS_ERROR, 0x010203);
        assertThat(buffer.getInt(20)).isEqualTo(0x62010203);
        new Deth().wrap(buffer, 24).put(0x80010000, 0x000001);
        assertThat(buffer.getLong(24)).isEqualTo(0x8001000000000001L);
        new AtomicEth()
                .wrap(buffer, 32)
                .virtualAddress(1)
                .remoteKey(2)
                .swapOrAdd(3)
                .compare(4);
        assertThat(HexFormat.of().formatHex(buffer.array(), 32, 60))
                .isEqualTo("00000000000000010000000200000000000000030000000000000004");
    }

    @Test
    void aFlyweightThatWrapsNothingFailsWithAnIndex() {
        assertThatThrownBy(() -> new Bth().opcode()).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
