package io.srpt.roce;

import static io.srpt.roce.ScriptedPeer.MTU;
import static io.srpt.roce.ScriptedPeer.PEER_PSN;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.roce.ScriptedPeer.Packet;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Opcode;
import io.srpt.verbs.Access;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue pair answers to requests, packet by packet. */
class ResponderTest {
    private final ScriptedPeer peer;

    ResponderTest() throws Exception {
        peer = new ScriptedPeer(4);
    }

    @Test
    @Tag("pitfall-42")
    void oneAckAnswersAllPacketsOfATurn() {
        peer.send(
                peer.packet(Opcode.RC_SEND_FIRST, PEER_PSN, MTU),
                peer.packet(Opcode.RC_SEND_MIDDLE, PEER_PSN + 1, MTU),
                peer.packet(Opcode.RC_SEND_LAST, PEER_PSN + 2, 5));
        List<Packet> answers = peer.takeAnswers();
        assertThat(answers).isNotEmpty().allMatch(packet -> packet.opcode() == Opcode.RC_ACKNOWLEDGE);
        assertThat(answers.getLast().psn()).isEqualTo(PEER_PSN + 2);
        assertThat(answers.getLast().syndrome()).isEqualTo(AethSyndrome.ACK_NO_CREDITS);
        assertThat(answers.getLast().msn()).isEqualTo(1);
        assertThat(peer.completions).singleElement().satisfies(completion -> {
            assertThat(completion.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(completion.bytes()).isEqualTo(2 * MTU + 5);
        });
        assertThat(peer.events).contains(QueuePairEventListener.Event.COMMUNICATION_ESTABLISHED);
    }

    @Test
    @Tag("pitfall-41")
    void aGapIsReportedOnceUntilItIsClosed() {
        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + 1, 8), peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + 2, 8));
        List<Packet> answers = peer.takeAnswers();
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().syndrome()).isEqualTo(AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
        assertThat(answers.getFirst().psn()).isEqualTo(PEER_PSN);
        assertThat(peer.device.counters().outOfSequence().get()).isEqualTo(2);

        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN, 8));
        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + 2, 8));
        assertThat(peer.takeAnswers())
                .extracting(Packet::syndrome)
                .containsExactly(AethSyndrome.ACK_NO_CREDITS, AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
    }

    @Test
    @Tag("pitfall-42")
    void aRepeatedSendIsAcknowledgedAgainAndNotDeliveredAgain() {
        byte[] packet = peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN, 8);
        peer.send(packet);
        peer.takeAnswers();
        peer.send(packet);
        assertThat(peer.takeAnswers()).singleElement().satisfies(answer -> {
            assertThat(answer.psn()).isEqualTo(PEER_PSN);
            assertThat(answer.syndrome()).isEqualTo(AethSyndrome.ACK_NO_CREDITS);
        });
        assertThat(peer.completions).hasSize(1);
        assertThat(peer.device.counters().duplicates().get()).isEqualTo(1);
    }

    @Test
    @Tag("pitfall-42")
    void aDuplicateIsAcknowledgedAlthoughItDoesNotAsk() {
        peer.send(peer.packet(Opcode.RC_SEND_FIRST, PEER_PSN, MTU, false));
        peer.send(peer.packet(Opcode.RC_SEND_LAST, PEER_PSN + 1, 8, true));
        peer.takeAnswers();
        peer.send(peer.packet(Opcode.RC_SEND_FIRST, PEER_PSN, MTU, false));
        assertThat(peer.takeAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.psn()).isEqualTo(PEER_PSN + 1));
    }

    /** 2,048 messages of a stream that asks every 64 packets, as rdma_rxe does: each is acknowledged in its turn. */
    @Test
    @Tag("pitfall-42")
    void aStreamIsAcknowledgedBeforeTheWindowOfThePeerIsFull() {
        int psn = PEER_PSN;
        for (int i = 0; i < 2_048; i++) {
            int asked = i % 64 == 63 ? 1 : 0;
            peer.send(peer.rdma(Opcode.RC_WRITE_ONLY, psn, MTU, peer.memory.address(), peer.memory.remoteKey(), MTU));
            peer.answers.clear();
            psn++;
            peer.send(peer.packet(Opcode.RC_WRITE_ONLY, psn, 0, asked == 1));
            psn++;
            assertThat(peer.takeAnswers()).as("asked %d", asked).hasSize(asked);
        }
        assertThat(peer.device.counters().duplicates().get()).isZero();
    }

    /** The number of messages is 24 bits long. */
    @Test
    @Tag("pitfall-109")
    void messageNumbersWrap() throws Exception {
        setMessages(0xFFFFFE);
        for (int i = 0; i < 4; i++) {
            peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + i, 8));
        }
        assertThat(peer.takeAnswers()).extracting(Packet::msn).containsExactly(0xFFFFFF, 0, 1, 2);
        assertThat(peer.completions).hasSize(4);
    }

    private void setMessages(int number) throws ReflectiveOperationException {
        var responder = ReliableQueuePair.class.getDeclaredField("responder");
        responder.setAccessible(true);
        var messages = Responder.class.getDeclaredField("msn");
        messages.setAccessible(true);
        messages.setInt(responder.get(peer.queuePair), number);
    }

    @Test
    void anEmptyReceiveQueueIsAnRnrNakAndTheSamePsnIsExpectedAgain() {
        for (int i = 0; i < 4; i++) {
            peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + i, 4));
        }
        peer.takeAnswers();
        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + 4, 4), peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + 5, 4));
        assertThat(peer.takeAnswers()).singleElement().satisfies(answer -> {
            assertThat(AethSyndrome.isRnrNak(answer.syndrome())).isTrue();
            assertThat(AethSyndrome.value(answer.syndrome())).isEqualTo(12);
            assertThat(answer.psn()).isEqualTo(PEER_PSN + 4);
        });
        peer.postReceive(0);
        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN + 4, 4));
        assertThat(peer.takeAnswers())
                .singleElement()
                .satisfies(answer ->
                        assertThat(AethSyndrome.isAck(answer.syndrome())).isTrue());
    }

    @Test
    void aReadIsAnsweredInPacketsOfTheMtuAndAgainFromAnyPlaceInside() {
        for (int i = 0; i < 600; i++) {
            peer.memory.buffer().put(i, (byte) i);
        }
        long address = peer.memory.address();
        int key = peer.memory.remoteKey();
        peer.send(peer.rdma(Opcode.RC_READ_REQUEST, PEER_PSN, 0, address, key, 600));
        List<Packet> answers = peer.takeAnswers();
        assertThat(answers)
                .extracting(Packet::opcode)
                .containsExactly(
                        Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_READ_RESPONSE_MIDDLE, Opcode.RC_READ_RESPONSE_LAST);
        assertThat(answers).extracting(Packet::psn).containsExactly(PEER_PSN, PEER_PSN + 1, PEER_PSN + 2);
        assertThat(answers.getLast().payloadLength()).isEqualTo(600 - 2 * MTU);
        assertThat(answers.getLast().bytes()[Opcode.headerLength(Opcode.RC_READ_RESPONSE_LAST)])
                .isEqualTo((byte) 512);

        peer.send(peer.rdma(Opcode.RC_READ_REQUEST, PEER_PSN + 2, 0, address + 512, key, 88));
        assertThat(peer.takeAnswers()).singleElement().satisfies(answer -> {
            assertThat(answer.opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_ONLY);
            assertThat(answer.psn()).isEqualTo(PEER_PSN + 2);
        });
    }

    @Test
    @Tag("pitfall-44")
    void aWriteLandsWhereItSaysAndNotBeyond() {
        peer.send(
                peer.rdma(
                        Opcode.RC_WRITE_FIRST,
                        PEER_PSN,
                        MTU,
                        peer.memory.address() + 100,
                        peer.memory.remoteKey(),
                        261),
                peer.packet(Opcode.RC_WRITE_LAST, PEER_PSN + 1, 5));
        assertThat(peer.takeAnswers().getLast().psn()).isEqualTo(PEER_PSN + 1);
        ByteBuffer memory = peer.memory.buffer();
        assertThat(memory.get(99)).isZero();
        assertThat(memory.get(101)).isEqualTo((byte) (PEER_PSN + 1));
        assertThat(memory.get(100 + 260)).isEqualTo((byte) (PEER_PSN + 1 + 4));
        assertThat(memory.get(100 + 261)).as("pad bytes stay out").isZero();
    }

    @Test
    @Tag("pitfall-35")
    void aWriteOfNoBytesNeedsNoKey() {
        peer.send(peer.rdma(Opcode.RC_WRITE_ONLY, PEER_PSN, 0, 0, 0, 0));
        assertThat(peer.takeAnswers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.syndrome()).isEqualTo(AethSyndrome.ACK_NO_CREDITS));
    }

    @Test
    @Tag("pitfall-34")
    void aWrongKeyOrRangeIsRefusedAndNoMemoryTouched() throws Exception {
        long end = peer.memory.address() + peer.memory.length();
        long[][] wrong = {
            {peer.memory.address(), peer.memory.remoteKey() + 1, 16},
            {peer.memory.address() - 1, peer.memory.remoteKey(), 16},
            {end - 15, peer.memory.remoteKey(), 16},
            {Long.MAX_VALUE - 3, peer.memory.remoteKey(), 16},
            {-8L, peer.memory.remoteKey(), 16},
        };
        for (long[] range : wrong) {
            ScriptedPeer fresh = new ScriptedPeer(1);
            long address = range[0] - peer.memory.address() + fresh.memory.address();
            int key = (int) (range[1] - peer.memory.remoteKey() + fresh.memory.remoteKey());
            fresh.send(fresh.rdma(Opcode.RC_WRITE_ONLY, PEER_PSN, 16, address, key, range[2]));
            assertRefused(fresh, AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
            for (int i = 0; i < fresh.memory.length(); i++) {
                assertThat(fresh.memory.buffer().get(i)).isZero();
            }
        }
    }

    @Test
    @Tag("pitfall-34")
    void memoryWithoutTheRightIsRefused() throws Exception {
        var readOnly = peer.domain.register(ByteBuffer.allocateDirect(64), Access.REMOTE_READ);
        peer.send(peer.rdma(Opcode.RC_WRITE_ONLY, PEER_PSN, 16, readOnly.address(), readOnly.remoteKey(), 16));
        assertRefused(peer, AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Opcode.RC_COMPARE_SWAP,
                Opcode.RC_FETCH_ADD,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST,
                Opcode.RC_WRITE_MIDDLE
            })
    void anOpcodeThatMayNotComeNowIsAnInvalidRequest(int opcode) {
        peer.send(peer.packet(opcode, PEER_PSN, opcode == Opcode.RC_SEND_LAST ? 4 : Opcode.isAtomic(opcode) ? 0 : MTU));
        assertRefused(peer, AethSyndrome.NAK_INVALID_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(ints = {MTU - 4, MTU + 4})
    void aFirstPacketMustBeAsLongAsTheMtu(int length) {
        peer.send(peer.packet(Opcode.RC_SEND_FIRST, PEER_PSN, length));
        assertRefused(peer, AethSyndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void aMessageLongerThanItsReceiveIsRefusedAndTheReceiveFails() {
        int packets = ScriptedPeer.RECEIVE_BYTES / MTU;
        for (int i = 0; i < packets; i++) {
            peer.send(peer.packet(i == 0 ? Opcode.RC_SEND_FIRST : Opcode.RC_SEND_MIDDLE, PEER_PSN + i, MTU));
        }
        peer.takeAnswers();
        peer.send(peer.packet(Opcode.RC_SEND_LAST, PEER_PSN + packets, 1));
        assertThat(peer.completions.getFirst().status()).isEqualTo(WorkCompletionStatus.LOCAL_LENGTH_ERROR);
        assertThat(peer.takeAnswers().getFirst().syndrome()).isEqualTo(AethSyndrome.NAK_INVALID_REQUEST);
    }

    @Test
    void aReceiveThatAMessageHoldsInPartIsFlushedToo() {
        peer.send(peer.packet(Opcode.RC_SEND_FIRST, PEER_PSN, MTU));
        peer.queuePair.modifyToError();
        peer.settle();
        assertThat(peer.completions).extracting(ScriptedPeer.Completion::wrId).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    @Tag("pitfall-53")
    void closingFlushesEveryReceiveOnce() {
        peer.queuePair.modifyToError();
        peer.settle();
        assertThat(peer.completions)
                .hasSize(4)
                .allMatch(completion -> completion.status() == WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        peer.send(peer.packet(Opcode.RC_SEND_ONLY, PEER_PSN, 4));
        assertThat(peer.takeAnswers())
                .as("a queue pair in error answers nothing")
                .isEmpty();
    }

    private static void assertRefused(ScriptedPeer peer, int syndrome) {
        assertThat(peer.takeAnswers()).singleElement().satisfies(answer -> {
            assertThat(answer.syndrome()).isEqualTo(syndrome);
            assertThat(answer.psn()).isEqualTo(PEER_PSN);
        });
        assertThat(peer.queuePair.state()).isEqualTo(QueuePairState.ERR);
        assertThat(peer.events).contains(QueuePairEventListener.Event.FATAL);
    }
}
