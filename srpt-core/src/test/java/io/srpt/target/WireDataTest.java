package io.srpt.target;

import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.roce.cm.CmMads;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.Psn;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on the wire, packet by packet: which packets a target sends, in which order, and what it takes. */
class WireDataTest {
    private static final int CREDITS = 128;

    private WireTarget target;

    WireDataTest() throws VerbsException {
        target = new WireTarget();
    }

    @AfterEach
    void leavesNothingBehind() {
        target.closeAndCheck();
    }

    private WireInitiator logIn() {
        return target.initiator().logIn(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** The path's MTU is below the port's: nothing the target sends may be longer, and nothing in the middle shorter. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    @Tag("pitfall-43")
    void packetsHaveTheLengthOfThePathsMtu(int code) {
        WireInitiator peer = target.initiator();
        peer.mtuCode = code;
        peer.logIn(WireTarget.login(0));
        peer.recordsPackets = true;
        byte[] data = random(code, 20 * 512);
        peer.memory.put(0, data);
        peer.sendWrite(1, write10(0, 20), 0, data.length);
        target.settle();
        peer.sendRead(2, read10(0, 20), 1 << 20, data.length);
        target.settle();
        assertThat(peer.nextResponse().status()).isZero();
        assertThat(peer.nextResponse().status()).isZero();
        assertThat(Arrays.copyOfRange(peer.memory.array(), 1 << 20, (1 << 20) + data.length))
                .isEqualTo(data);
        List<WireInitiator.Packet> writes = peer.packets.stream()
                .filter(packet -> Opcode.isWrite(packet.opcode()))
                .toList();
        assertThat(writes).hasSize(Math.ceilDiv(data.length, 128 << code));
        assertThat(writes.subList(0, writes.size() - 1)).allMatch(packet -> packet.payloadLength() == 128 << code);
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-34")
    @Tag("pitfall-35")
    void theInitiatorMayNotTouchTheTargetsMemory() {
        for (boolean read : new boolean[] {false, true}) {
            for (int key : new int[] {0, 1, 0x100, 0x4711, -1}) {
                WireInitiator peer = logIn();
                peer.transmit(peer.rdma(Opcode.RC_WRITE_ONLY, peer.nextPsn(), new byte[0], 0, key, 0));
                target.settle();
                assertThat(peer.packets)
                        .as("no bytes need no right")
                        .singleElement()
                        .satisfies(ack ->
                                assertThat(AethSyndrome.isAck(ack.syndrome())).isTrue());
                peer.packets.clear();
                int psn = peer.nextPsn();
                peer.transmit(
                        read
                                ? peer.rdma(Opcode.RC_READ_REQUEST, psn, new byte[0], 4096, key, 16)
                                : peer.rdma(Opcode.RC_WRITE_ONLY, psn, new byte[16], 4096, key, 16));
                target.settle();
                assertThat(peer.packets)
                        .singleElement()
                        .satisfies(nak -> assertThat(nak.syndrome())
                                .isIn(AethSyndrome.NAK_INVALID_REQUEST, AethSyndrome.NAK_REMOTE_ACCESS_ERROR));
                target.pass(Duration.ofMinutes(2));
                assertThat(target.channels()).isZero();
            }
        }
    }

    /** As rdma_rxe does when it refuses something: a NAK, and its queue pair is dead without anybody being told. */
    @Test
    @Tag("pitfall-36")
    void aRefusalOfTheInitiatorsQueuePairEndsTheChannel() {
        WireInitiator peer = logIn();
        peer.acknowledges = false;
        peer.recordsPackets = true;
        peer.sendRead(1, read10(0, 8), 0, 4096);
        target.settle();
        int psn = peer.packets.stream()
                .filter(packet -> Opcode.isWrite(packet.opcode()))
                .findFirst()
                .orElseThrow()
                .psn();
        peer.transmit(peer.acknowledge(psn, AethSyndrome.NAK_INVALID_REQUEST));
        target.settle();
        assertThat(peer.mads(CmMads.DREQ)).hasSize(1);
        assertThat(target.port.counters().transportErrors.get()).isEqualTo(1);
        target.pass(Duration.ofMinutes(2));
        assertThat(target.channels()).isZero();
    }

    @Test
    @Tag("pitfall-37")
    void manyWritesAtOnceNeverAskForMoreReadsThanAgreed() {
        WireInitiator peer = logIn();
        peer.answersReads = false;
        byte[] data = random(1, 64 << 10);
        peer.memory.put(0, data);
        for (int i = 0; i < 32; i++) {
            peer.sendWrite(i, write10(i * 128, 128), 0, data.length);
        }
        int answered = 0;
        for (int turns = 0; turns < 1000 && peer.units.size() < 32; turns++) {
            target.settle();
            while (!peer.openReads.isEmpty()) {
                assertThat(peer.openReads).hasSizeLessThanOrEqualTo(peer.reads);
                peer.answerRead();
                answered++;
            }
        }
        assertThat(peer.units).hasSize(32);
        assertThat(answered).isGreaterThanOrEqualTo(32);
        assertThat(peer.mostOpenReads).isEqualTo(peer.reads);
        assertThat(Arrays.copyOfRange(target.store.bytes.array(), 31 * data.length, 32 * data.length))
                .isEqualTo(data);
        peer.disconnect();
    }

    /** When a response comes, all data of its command is there; it is behind it in PSN, as packets are taken in order. */
    @Test
    @Tag("pitfall-72")
    @Tag("pitfall-62")
    @Tag("pitfall-50")
    void aResponseComesBehindAllDataOfItsCommandAndOnlyOnce() {
        int rounds = TestProfile.count(1_000, 25_000);
        WireInitiator peer = logIn();
        byte[] stored = random(7, 4 << 20);
        target.store.bytes.put(0, stored);
        Random random = new Random(7);
        int before = peer.responses;
        for (int round = 0; round < rounds; round++) {
            peer.recordsPackets = round < 200;
            int[] blocks = new int[4];
            for (int i = 0; i < blocks.length; i++) {
                blocks[i] = 1 + random.nextInt(64);
                Arrays.fill(peer.memory.array(), i << 16, (i << 16) + blocks[i] * 512, (byte) 0);
                peer.sendRead(i, read10(i * 64, blocks[i]), i << 16, blocks[i] * 512);
            }
            target.settle();
            assertThat(peer.responses - before).isEqualTo(4 * (round + 1));
            checkOrder(peer);
            for (int i = 0; i < blocks.length; i++) {
                assertThat(peer.nextResponse().status()).isZero();
                int at = i << 16;
                assertThat(Arrays.equals(
                                peer.memory.array(),
                                at,
                                at + blocks[i] * 512,
                                stored,
                                i * 64 * 512,
                                (i * 64 + blocks[i]) * 512))
                        .isTrue();
            }
        }
        assertThat(peer.credits).isEqualTo(CREDITS);
        assertThat(peer.wrongIcrcs).isZero();
        assertThat(target.device.counters().rnrNaksReceived().get()).isZero();
        peer.disconnect();
    }

    /** Of the packets that came: PSNs without gap, and the WRITEs before a response are those of its own command. */
    private static void checkOrder(WireInitiator peer) {
        int expected = -1;
        long last = -1;
        for (WireInitiator.Packet packet : peer.packets) {
            if (!Opcode.isRequest(packet.opcode())) {
                continue;
            }
            assertThat(packet.psn()).isEqualTo(expected < 0 ? packet.psn() : expected);
            expected = Psn.next(packet.psn());
            if (Opcode.isWrite(packet.opcode()) && Opcode.hasReth(packet.opcode())) {
                last = packet.reth().virtualAddress() - WireInitiator.MEMORY >> 16;
            } else if (Opcode.isSend(packet.opcode())) {
                long tag = java.nio.ByteBuffer.wrap(packet.bytes()).getLong(Opcode.headerLength(packet.opcode()) + 8);
                assertThat(tag).as("no WRITE of another command in between").isEqualTo(last);
            }
        }
        peer.packets.clear();
    }

    @Test
    @Tag("pitfall-59")
    void immediateDataKeepsItsReceiveAndCreditsComeBackNoSooner() {
        WireInitiator peer = logIn();
        byte[] data = random(3, 4096);
        target.store.hold = true;
        long tag = 0;
        for (int round = 0; round < 20; round++) {
            while (peer.credits > 0) {
                peer.sendImmediate(tag, write10((int) (tag % 100) * 8, 8), data);
                tag++;
            }
            target.settle();
            assertThat(target.store.held).as("round %d", round).hasSize(CREDITS);
            target.store.hold = false;
            target.store.release();
            target.store.hold = true;
            // The credits of the responses are used in the same turn in which they come, before any ACK of ours.
            peer.acknowledges = round % 2 == 0;
            target.settle();
            if (!peer.acknowledges) {
                peer.acknowledgeAll();
            }
            peer.units.clear();
        }
        assertThat(tag).isEqualTo(20 * CREDITS);
        assertThat(target.device.counters().rnrNaksSent().get()).isZero();
        target.store.hold = false;
        target.settle();
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-60")
    void acknowledgementsThatAreLateHoldUpFurtherCommandsInOrder() {
        WireInitiator peer = logIn();
        peer.acknowledges = false;
        for (int i = 0; i < CREDITS; i++) {
            peer.sendNoData(i, TargetFixture.TEST_UNIT_READY);
        }
        target.settle();
        assertThat(peer.units).hasSize(CREDITS);
        for (int i = CREDITS; i < 2 * CREDITS; i++) {
            peer.sendNoData(i, TargetFixture.TEST_UNIT_READY);
        }
        target.pass(Duration.ofMillis(50));
        peer.acknowledges = true;
        target.pass(Duration.ofSeconds(1));
        peer.acknowledgeAll();
        target.pass(Duration.ofSeconds(1));
        for (int i = 0; i < 2 * CREDITS; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(peer.credits).isEqualTo(CREDITS);
        peer.disconnect();
    }

    /** The cable breaks after two of four READs of a command. */
    @Test
    @Tag("pitfall-79")
    void aTransferThatBreaksHalfWayEndsOnceAndKeepsItsBuffersUntilTheDrain() {
        WireInitiator peer = logIn();
        peer.answersReads = false;
        peer.sendWrite(1, write10(0, 512), 0, 512 * 512);
        target.settle();
        assertThat(peer.openReads).hasSize(4);
        peer.answerRead();
        peer.answerRead();
        target.settle();
        target.network.cut(true);
        assertThat(target.port.counters().chunksInUse.get()).isEqualTo(4);
        while (target.port.counters().transportErrors.get() == 0) {
            assertThat(target.port.counters().chunksInUse.get())
                    .as("the device may still write to them")
                    .isEqualTo(4);
            target.pass(Duration.ofMillis(100));
        }
        target.settle();
        assertThat(target.port.counters().chunksInUse.get()).isZero();
        assertThat(target.port.counters().commandsWithoutResponse.get()).isEqualTo(1);
        assertThat(target.store.writes).isZero();
        target.pass(Duration.ofMinutes(2));
        assertThat(target.channels()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 7})
    @Tag("pitfall-90")
    @Tag("pitfall-52")
    void theRetriesOfReqAreHowOftenTheTargetTries(int retries) {
        WireInitiator peer = target.initiator();
        peer.retryCount = retries;
        peer.ackTimeout = 16;
        peer.logIn(WireTarget.login(0));
        peer.acknowledges = false;
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        long timeout = 4096L << 16;
        long start = target.loop.nanoTime();
        while (target.port.counters().transportErrors.get() == 0) {
            target.pass(Duration.ofMillis(10));
        }
        long silence = target.loop.nanoTime() - start;
        assertThat(silence).isBetween(timeout * retries, 4 * timeout * retries);
        target.pass(Duration.ofMinutes(2));
        assertThat(target.channels()).isZero();
    }

    @Test
    @Tag("pitfall-53")
    void afterTheDisconnectNoPacketOfTheQueuePairComes() {
        WireInitiator peer = logIn();
        target.store.hold = true;
        peer.acknowledges = false;
        for (int i = 0; i < 20; i++) {
            peer.sendRead(i, read10(0, 64), 0, 32768);
            peer.sendWrite(100 + i, write10(100, 64), 0, 32768);
        }
        target.settle();
        peer.recordsPackets = true;
        peer.sendMad(CmMads.dreq(peer.id, peer.peerId, peer.peerQueuePair));
        while (peer.mads(CmMads.DREP).isEmpty()) {
            target.pass(Duration.ofNanos(1000));
        }
        peer.packets.clear();
        target.store.hold = false;
        target.store.release();
        for (int i = 0; i < 10; i++) {
            peer.transmit(peer.packet(Opcode.RC_SEND_ONLY, peer.nextPsn(), new byte[48], true));
        }
        target.pass(Duration.ofMinutes(1));
        assertThat(peer.packets).isEmpty();
    }

    @Test
    @Tag("pitfall-33")
    void nothingIsSentBeforeTheFirstCommand() {
        WireInitiator peer = target.initiator();
        peer.recordsPackets = true;
        peer.ask(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
        peer.takeRep();
        peer.sendMad(CmMads.answer(CmMads.RTU, peer.id, peer.peerId));
        target.pass(Duration.ofSeconds(30));
        assertThat(peer.units).isEmpty();
        assertThat(peer.packets).noneMatch(packet -> Opcode.isSend(packet.opcode()));
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-62")
    @Tag("pitfall-50")
    void aMixedLoadOnTheWireHasOneResponseForEachRequest() {
        WireInitiator peer = logIn();
        Random random = new Random(11);
        byte[] data = random(12, 4096);
        int sent = 0;
        int before = peer.responses;
        List<Long> tags = new ArrayList<>();
        for (int i = 0; i < TestProfile.count(3_000, 100_000); i++) {
            switch (random.nextInt(5)) {
                case 0 -> peer.sendNoData(i, TargetFixture.TEST_UNIT_READY);
                case 1 -> peer.sendRead(i, read10(random.nextInt(100), 8), 1 << 20, 4096);
                case 2 -> peer.sendWrite(i, write10(random.nextInt(100), 8), 0, 4096);
                case 3 -> peer.sendImmediate(i, write10(random.nextInt(100), 8), data);
                default -> peer.sendTaskManagement(i, TaskManagementRequest.ABORT_TASK, i - 1L);
            }
            tags.add((long) i);
            sent++;
            if (peer.credits == 0 || random.nextInt(40) == 0) {
                target.settle();
                assertThat(peer.responses - before).isLessThanOrEqualTo(sent);
            }
        }
        target.settle();
        while (!peer.units.isEmpty()) {
            SrpResponse response = peer.nextResponse();
            assertThat(tags.remove(response.tag())).as("answered once").isTrue();
        }
        assertThat(peer.credits).isEqualTo(CREDITS);
        assertThat(tags).as("only aborted commands have none").hasSize((int)
                target.port.counters().commandsWithoutResponse.get());
        assertThat(target.device.counters().rnrNaksSent().get()).isZero();
        peer.disconnect();
    }
}
