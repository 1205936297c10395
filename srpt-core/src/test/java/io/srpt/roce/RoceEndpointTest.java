package io.srpt.roce;

import static io.srpt.roce.ScriptedPeer.PEER_PSN;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.Opcode;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Bad packets are dropped and counted by cause; nothing that comes in makes the stack throw or answer wrongly. */
class RoceEndpointTest {
    private static final long SEED = 20_260;

    private final ScriptedPeer peer;

    RoceEndpointTest() throws Exception {
        peer = new ScriptedPeer(4);
    }

    @Test
    void eachKindOfBadPacketHasItsCounter() {
        expect(DropCause.VERSION, bth -> bth.version(1));
        expect(DropCause.OPCODE, bth -> bth.opcode(Opcode.CNP));
        expect(DropCause.OPCODE, bth -> bth.opcode(0x24));
        expect(DropCause.PARTITION_KEY, bth -> bth.partitionKey(0x1234));
        expect(DropCause.UNKNOWN_QUEUE_PAIR, bth -> bth.destinationQp(peer.queuePair.number() ^ 0x800000));
        expect(DropCause.WRONG_SERVICE, bth -> bth.destinationQp(1));
        expect(DropCause.MALFORMED, bth -> bth.opcode(Opcode.RC_COMPARE_SWAP));
    }

    private void expect(DropCause cause, Consumer<Bth> damage) {
        long before = dropped(cause);
        byte[] packet = peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN, 8);
        damage.accept(new Bth().wrap(ByteBuffer.wrap(packet), 0));
        peer.send(packet);
        assertThat(dropped(cause)).as(cause.name()).isEqualTo(before + 1);
        assertThat(peer.takeAnswers()).isEmpty();
    }

    @Test
    void aWrongIcrcIsDroppedSilently() {
        byte[] packet = peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN, 8);
        packet[packet.length - 1] ^= 1;
        peer.sendAsIs(packet);
        peer.settle();
        assertThat(dropped(DropCause.ICRC)).isEqualTo(1);
        assertThat(peer.takeAnswers()).isEmpty();
        assertThat(peer.completions).isEmpty();
    }

    @Test
    void aDatagramWithTheWrongQKeyIsDropped() {
        peer.send(peer.datagram(1, 0x11111111));
        assertThat(dropped(DropCause.QUEUE_KEY)).isEqualTo(1);
    }

    @Test
    void randomBytesAreDroppedAndTheConnectionLives() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(400)];
            random.nextBytes(bytes);
            peer.sendAsIs(bytes);
        }
        peer.settle();
        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN, 8));
        assertThat(peer.completions).as("seed " + SEED).hasSize(1);
    }

    @Test
    void randomPacketsWithARightIcrcNeverThrow() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 3_000; i++) {
            ScriptedPeer fresh = i % 10 == 0 ? new ScriptedPeer(2) : peer;
            byte[] packet = new byte[Icrc.MIN_PACKET_LENGTH + 4 * random.nextInt(80)];
            random.nextBytes(packet);
            new Bth()
                    .wrap(ByteBuffer.wrap(packet), 0)
                    .put(
                            random.nextInt(0x20),
                            random.nextBoolean(),
                            random.nextInt(4),
                            Bth.DEFAULT_PARTITION_KEY,
                            fresh.queuePair.number(),
                            true,
                            PEER_PSN + random.nextInt(3));
            fresh.send(packet);
        }
        assertThat(peer.device.counters().dropped(DropCause.ICRC).get()).isZero();
    }

    private long dropped(DropCause cause) {
        return peer.device.counters().dropped(cause).get();
    }
}
