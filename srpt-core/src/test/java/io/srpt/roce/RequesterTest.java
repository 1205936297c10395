package io.srpt.roce;

import static io.srpt.roce.ScriptedPeer.MTU;
import static io.srpt.roce.ScriptedPeer.OUR_PSN;
import static io.srpt.roce.ScriptedPeer.PEER_PSN;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.roce.ScriptedPeer.Completion;
import io.srpt.roce.ScriptedPeer.Packet;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.IcrcVerdict;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.Psn;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkCompletionStatus;
import io.srpt.verbs.WorkRequestOpcode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue pair sends, and what it makes of the answers, packet by packet. */
class RequesterTest {
    private final ScriptedPeer peer;

    RequesterTest() throws Exception {
        peer = new ScriptedPeer(2);
    }

    @Test
    void aMessageIsCutAtTheMtuAndOnlyItsLastPacketAsksForAnAck() {
        peer.post(WorkRequestOpcode.RDMA_WRITE, 1, 2 * MTU + 13);
        List<Packet> packets = peer.takeAnswers();
        assertThat(packets)
                .extracting(Packet::opcode)
                .containsExactly(Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_LAST);
        assertThat(packets).extracting(Packet::psn).containsExactly(OUR_PSN, OUR_PSN + 1, OUR_PSN + 2);
        assertThat(packets).extracting(Packet::ackRequest).containsExactly(false, false, true);
        assertThat(packets).extracting(Packet::payloadLength).containsExactly(MTU, MTU, 13);
        assertThat(packets.getFirst().reth().dmaLength()).isEqualTo(2 * MTU + 13);
        assertThat(peer.completions).isEmpty();
        peer.send(peer.acknowledge(OUR_PSN + 2, AethSyndrome.ACK_NO_CREDITS));
        assertThat(statuses()).containsExactly(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void oneAckCompletesAllBeforeIt() {
        for (int i = 0; i < 5; i++) {
            peer.post(WorkRequestOpcode.SEND, i, 10);
        }
        peer.send(peer.acknowledge(OUR_PSN + 3, AethSyndrome.ACK_NO_CREDITS));
        assertThat(peer.completions).extracting(Completion::wrId).containsExactly(0L, 1L, 2L, 3L);
        peer.send(peer.acknowledge(OUR_PSN + 4, AethSyndrome.ack(3)));
        assertThat(peer.completions).hasSize(5);
    }

    @Test
    void memoryThatIsGoneBeforeItIsSentEndsTheConnection() {
        SendWorkRequest request = new SendWorkRequest(1);
        for (int i = 0; i < 3; i++) {
            peer.queuePair.postSend(request.reset(WorkRequestOpcode.SEND, i)
                    .flags(SendWorkRequest.SIGNALED)
                    .segment(peer.memory.address(), 10, peer.memory.localKey()));
        }
        peer.memory.close();
        peer.settle();
        assertThat(statuses().subList(0, 3))
                .containsExactly(
                        WorkCompletionStatus.LOCAL_PROTECTION_ERROR,
                        WorkCompletionStatus.WORK_REQUEST_FLUSHED,
                        WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        assertThat(peer.queuePair.state()).isEqualTo(QueuePairState.ERR);
        assertThat(peer.takeAnswers()).isEmpty();
    }

    @Test
    void aNakSendsAgainFromItsPsnOn() {
        for (int i = 0; i < 4; i++) {
            peer.post(WorkRequestOpcode.SEND, i, 10);
        }
        peer.takeAnswers();
        peer.send(peer.acknowledge(OUR_PSN + 1, AethSyndrome.NAK_PSN_SEQUENCE_ERROR));
        assertThat(peer.completions).extracting(Completion::wrId).containsExactly(0L);
        assertThat(peer.takeAnswers()).extracting(Packet::psn).containsExactly(OUR_PSN + 1, OUR_PSN + 2, OUR_PSN + 3);
        assertThat(peer.device.counters().retransmits().get()).isEqualTo(3);
    }

    @Test
    @Tag("pitfall-52")
    void silenceIsAnsweredByEarlyProbesThenByTheCountedRetriesThenByAnError() {
        peer.post(WorkRequestOpcode.SEND, 1, 10);
        peer.takeAnswers();
        peer.pass(Duration.ofMillis(70));
        assertThat(peer.takeAnswers()).as("an early probe").hasSize(1);
        peer.pass(Duration.ofMillis(900));
        assertThat(peer.completions)
                .as("T = 537 ms and two retries are not used up yet")
                .isEmpty();
        peer.pass(Duration.ofSeconds(6));
        assertThat(statuses())
                .containsExactly(
                        WorkCompletionStatus.RETRY_EXCEEDED,
                        WorkCompletionStatus.WORK_REQUEST_FLUSHED,
                        WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        assertThat(peer.queuePair.state()).isEqualTo(QueuePairState.ERR);
    }

    @Test
    void anRnrNakIsObeyedForItsTime() {
        peer.post(WorkRequestOpcode.SEND, 1, 10);
        peer.takeAnswers();
        peer.send(peer.acknowledge(OUR_PSN, AethSyndrome.rnrNak(20)));
        peer.pass(Duration.ofMillis(9));
        assertThat(peer.takeAnswers()).as("10.24 ms are not over").isEmpty();
        peer.pass(Duration.ofMillis(3));
        assertThat(peer.takeAnswers()).extracting(Packet::psn).containsExactly(OUR_PSN);
    }

    @Test
    @Tag("pitfall-70")
    void aRefusedKeyEndsTheRequestWithItsStatusAndFlushesTheRest() {
        peer.post(WorkRequestOpcode.RDMA_READ, 1, 100);
        peer.post(WorkRequestOpcode.SEND, 2, 100);
        peer.send(peer.acknowledge(OUR_PSN, AethSyndrome.NAK_REMOTE_ACCESS_ERROR));
        assertThat(peer.completions)
                .extracting(Completion::wrId, Completion::status)
                .startsWith(
                        org.assertj.core.groups.Tuple.tuple(1L, WorkCompletionStatus.REMOTE_ACCESS_ERROR),
                        org.assertj.core.groups.Tuple.tuple(2L, WorkCompletionStatus.WORK_REQUEST_FLUSHED));
    }

    @Test
    @Tag("pitfall-37")
    void neverMoreReadsAreOutstandingThanAgreed() {
        for (int i = 0; i < 4; i++) {
            peer.post(WorkRequestOpcode.RDMA_READ, i, 100);
        }
        assertThat(peer.takeAnswers()).hasSize(2);
        peer.send(response(Opcode.RC_READ_RESPONSE_ONLY, OUR_PSN, 100));
        assertThat(peer.takeAnswers()).extracting(Packet::psn).containsExactly(OUR_PSN + 2);
        assertThat(peer.completions).extracting(Completion::wrId).containsExactly(0L);
    }

    @Test
    @Tag("pitfall-38")
    void aMissingReadResponseIsAskedForAtOnceFromTheGap() {
        peer.post(WorkRequestOpcode.RDMA_READ, 1, 4 * MTU);
        Packet read = peer.takeAnswers().getFirst();
        peer.send(
                response(Opcode.RC_READ_RESPONSE_FIRST, OUR_PSN, MTU),
                response(Opcode.RC_READ_RESPONSE_MIDDLE, OUR_PSN + 2, MTU),
                response(Opcode.RC_READ_RESPONSE_LAST, OUR_PSN + 3, MTU));
        assertThat(peer.takeAnswers()).singleElement().satisfies(again -> {
            assertThat(again.opcode()).isEqualTo(Opcode.RC_READ_REQUEST);
            assertThat(again.psn()).isEqualTo(OUR_PSN + 1);
            assertThat(again.reth().virtualAddress()).isEqualTo(read.reth().virtualAddress() + MTU);
            assertThat(again.reth().dmaLength()).isEqualTo(3 * MTU);
        });
        peer.send(
                response(Opcode.RC_READ_RESPONSE_FIRST, OUR_PSN + 1, MTU),
                response(Opcode.RC_READ_RESPONSE_MIDDLE, OUR_PSN + 2, MTU),
                response(Opcode.RC_READ_RESPONSE_LAST, OUR_PSN + 3, MTU));
        assertThat(statuses()).containsExactly(WorkCompletionStatus.SUCCESS);
        for (int i = 0; i < 4 * MTU; i++) {
            assertThat(peer.memory.buffer().get(i)).isEqualTo((byte) (OUR_PSN + i / MTU + i % MTU));
        }
    }

    /** Each response in turn is the missing one: the READ that asks again is a tail of the first, also across the wrap. */
    @ParameterizedTest
    @ValueSource(ints = {0xFFFFF0, 0xFFFFFC, 0xFFFFFE, 0xFFFFFF})
    @Tag("pitfall-39")
    void whatIsAskedForAgainIsATailOfTheRead(int firstPsn) throws Exception {
        int count = 20;
        int bytes = count * MTU - 7;
        for (int missing = 0; missing < count; missing++) {
            ScriptedPeer wrapping = new ScriptedPeer(2, PEER_PSN, firstPsn);
            wrapping.post(WorkRequestOpcode.RDMA_READ, 1, bytes);
            Packet read = wrapping.takeAnswers().getFirst();
            assertThat(read.psn()).isEqualTo(firstPsn);
            for (int i = 0; i < count; i++) {
                if (i != missing) {
                    wrapping.send(readResponse(wrapping, firstPsn, i, count, bytes));
                }
            }
            if (missing == count - 1) {
                wrapping.pass(Duration.ofMillis(70));
            }
            int at = missing * MTU;
            Packet again = wrapping.takeAnswers().getFirst();
            assertThat(again.opcode()).isEqualTo(Opcode.RC_READ_REQUEST);
            assertThat(again.psn()).isEqualTo(Psn.add(firstPsn, missing));
            assertThat(again.reth().virtualAddress()).isEqualTo(read.reth().virtualAddress() + at);
            assertThat(again.reth().remoteKey()).isEqualTo(read.reth().remoteKey());
            assertThat(again.reth().dmaLength()).isEqualTo(bytes - at);
            for (int i = missing; i < count; i++) {
                wrapping.send(readResponse(wrapping, firstPsn, i, count, bytes));
            }
            assertThat(wrapping.completions)
                    .extracting(Completion::status)
                    .containsExactly(WorkCompletionStatus.SUCCESS);
        }
    }

    private static byte[] readResponse(ScriptedPeer peer, int firstPsn, int index, int count, int bytes) {
        int opcode = index == 0
                ? Opcode.RC_READ_RESPONSE_FIRST
                : index == count - 1 ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
        byte[] packet = peer.packet(opcode, Psn.add(firstPsn, index), Math.min(MTU, bytes - index * MTU));
        if (Opcode.hasAeth(opcode)) {
            ByteBuffer.wrap(packet).putInt(Bth.LENGTH, AethSyndrome.ACK_NO_CREDITS << 24 | 1);
        }
        return packet;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 13, MTU - 1, MTU})
    @Tag("pitfall-44")
    void padBytesAreInThePacketAndInNoLength(int length) {
        peer.post(WorkRequestOpcode.RDMA_WRITE, 1, length);
        Packet write = peer.takeAnswers().getFirst();
        int pad = -length & 3;
        assertThat(new Bth().wrap(ByteBuffer.wrap(write.bytes()), 0).padCount()).isEqualTo(pad);
        assertThat(write.reth().dmaLength()).isEqualTo(length);
        assertThat(write.payloadLength()).isEqualTo(length);
        assertThat(write.bytes()).hasSize(Opcode.headerLength(Opcode.RC_WRITE_ONLY) + length + pad + Icrc.LENGTH);
        FlowHeader flow = new FlowHeader(peer.ourGid, peer.gid, FlowHeader.ROCE_PORT);
        assertThat(new Icrc().verify(ByteBuffer.wrap(write.bytes()), 0, write.bytes().length, flow))
                .isEqualTo(IcrcVerdict.OK);
        peer.send(peer.acknowledge(OUR_PSN, AethSyndrome.ACK_NO_CREDITS));
        assertThat(statuses()).containsExactly(WorkCompletionStatus.SUCCESS);
    }

    @Test
    @Tag("pitfall-71")
    void aWriteThatThePeerHasIsNotSentAgainWhenAnEarlierReadIs() {
        peer.post(WorkRequestOpcode.RDMA_READ, 1, MTU);
        peer.post(WorkRequestOpcode.RDMA_WRITE, 2, 10);
        peer.takeAnswers();
        peer.send(peer.acknowledge(OUR_PSN + 1, AethSyndrome.ACK_NO_CREDITS));
        assertThat(peer.takeAnswers()).extracting(Packet::opcode).containsExactly(Opcode.RC_READ_REQUEST);
        peer.send(response(Opcode.RC_READ_RESPONSE_ONLY, OUR_PSN, MTU));
        assertThat(peer.completions).extracting(Completion::wrId).containsExactly(1L, 2L);
        assertThat(peer.takeAnswers()).isEmpty();
    }

    @Test
    void anAckForWhatWasNotSentIsIgnored() {
        peer.post(WorkRequestOpcode.SEND, 1, 10);
        peer.send(
                peer.acknowledge(OUR_PSN + 1, AethSyndrome.ACK_NO_CREDITS),
                peer.acknowledge(OUR_PSN - 1, AethSyndrome.NAK_REMOTE_ACCESS_ERROR));
        assertThat(peer.completions).isEmpty();
        assertThat(peer.device.counters().dropped(DropCause.STALE_RESPONSE).get())
                .isEqualTo(2);
    }

    @Test
    void sendsWithoutSignalCompleteSilentlyAndFreeTheirSlots() {
        int free = peer.queuePair.freeSendSlots();
        peer.queuePair.postSend(new io.srpt.verbs.SendWorkRequest(1)
                .reset(WorkRequestOpcode.SEND, 1)
                .segment(peer.memory.address(), 4, peer.memory.localKey()));
        peer.settle();
        assertThat(peer.queuePair.freeSendSlots()).isEqualTo(free - 1);
        peer.send(peer.acknowledge(OUR_PSN, AethSyndrome.ACK_NO_CREDITS));
        assertThat(peer.queuePair.freeSendSlots()).isEqualTo(free);
        assertThat(peer.completions).isEmpty();
    }

    @Test
    void onlyAWindowOfPacketsIsInFlight() {
        peer.post(WorkRequestOpcode.SEND, 1, 200 * MTU);
        List<Packet> first = peer.takeAnswers();
        assertThat(first).hasSize(128);
        assertThat(first.getLast().ackRequest()).isTrue();
        peer.send(peer.acknowledge(OUR_PSN + 63, AethSyndrome.ACK_NO_CREDITS));
        assertThat(peer.takeAnswers()).hasSize(64);
    }

    private byte[] response(int opcode, int psn, int length) {
        byte[] packet = peer.packet(opcode, psn, length);
        if (Opcode.hasAeth(opcode)) {
            ByteBuffer.wrap(packet).putInt(Bth.LENGTH, AethSyndrome.ACK_NO_CREDITS << 24 | 1);
        }
        return packet;
    }

    private List<WorkCompletionStatus> statuses() {
        return peer.completions.stream().map(Completion::status).toList();
    }
}
