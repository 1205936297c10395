package io.srpt.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.mad.MadHeader;
import io.srpt.mad.MadWire.Frame;
import io.srpt.verbs.Connection;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConnectionEndTest extends CmScenario {
    @Test
    @Tag("pitfall-49")
    void disconnectIsAnsweredAndBothSidesWaitBeforeTheNumbersAreFree() throws VerbsException {
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        assertThat(initiator.state(0)).isEqualTo(QueuePairState.ERR);
        clock.advance(TIME_WAIT - SECOND / 10);
        assertThat(initiator.events).containsExactly("established", "disconnected");
        assertThat(target.events).containsExactly("post in INIT", "established", "disconnected");
        assertThat(target.heldNumbers).containsExactly(target.queuePair(0).number());
        clock.advance(SECOND / 5);
        assertThat(initiator.events).endsWith("time wait over");
        assertThat(target.events).endsWith("time wait over");
        assertThat(target.isClean()).isTrue();
        assertThat(initiator.isClean()).isTrue();
    }

    @Test
    @Tag("pitfall-12")
    void crossingDisconnectsEndBothSidesOnce() throws VerbsException {
        List<Connection> accepted = new ArrayList<>();
        target.manager.listen(SERVICE, request -> accepted.add(target.accept(request)));
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        accepted.getFirst().disconnect();
        clock.advance(SECOND);
        assertThat(wire.frames(DREQ)).hasSize(2);
        assertThat(wire.frames(DREP)).hasSize(2);
        assertThat(initiator.events).containsExactly("established", "disconnected");
        assertThat(target.events).containsExactly("post in INIT", "established", "disconnected");
    }

    @Test
    @Tag("pitfall-12")
    void everyDreqGetsItsDrepAlsoInTimeWaitAndForUnknownIds() throws VerbsException {
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        clock.advance(SECOND / 10);
        Frame dreq = wire.frames(DREQ).getFirst();
        for (int i = 0; i < 5; i++) {
            wire.inject(initiator.gid, target.gid, dreq.mad());
            clock.advance(SECOND);
        }
        assertThat(wire.frames(DREP)).hasSize(6);
        DreqMessage asked = new DreqMessage().wrap(ByteBuffer.wrap(dreq.mad()), MadHeader.LENGTH);
        for (Frame drep : wire.frames(DREP)) {
            RtuMessage answer = new RtuMessage().wrap(ByteBuffer.wrap(drep.mad()), MadHeader.LENGTH);
            assertThat(answer.localCommunicationId()).isEqualTo(asked.remoteCommunicationId());
            assertThat(answer.remoteCommunicationId()).isEqualTo(asked.localCommunicationId());
            assertThat(drep.header().transactionId()).isEqualTo(dreq.header().transactionId());
        }
        assertThat(target.events).filteredOn("disconnected"::equals).hasSize(1);
    }

    @Test
    @Tag("pitfall-12")
    void dreqWithAnotherQueuePairIsIgnored() throws VerbsException {
        target.acceptAll(SERVICE);
        initiator.connect(target, SERVICE).disconnect();
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        lose(DREQ);
        connection.disconnect();
        Frame dreq = wire.frames(DREQ).getLast();
        wire.copies(frame -> 1);
        byte[] wrong = dreq.mad().clone();
        new DreqMessage().wrap(ByteBuffer.wrap(wrong), MadHeader.LENGTH).remoteQueuePair(0x99);
        int replies = wire.frames(DREP).size();
        wire.inject(initiator.gid, target.gid, wrong);
        clock.advance(SECOND);
        assertThat(wire.frames(DREP)).hasSize(replies);
        assertThat(target.events).doesNotContain("disconnected");
        assertThat(target.manager.counters().wrongQueuePair.get()).isEqualTo(1);
    }

    @Test
    void unansweredDreqIsRepeatedAndThenGivenUp() throws VerbsException {
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        lose(DREQ);
        connection.disconnect();
        clock.advance(15 * REPEAT + SECOND);
        assertThat(initiator.events).doesNotContain("disconnected");
        clock.advance(REPEAT);
        assertIdenticalAndSpaced(wire.frames(DREQ), 16);
        assertThat(initiator.events).containsExactly("established", "disconnected");
        wire.copies(frame -> 1);
    }

    @Test
    @Tag("pitfall-13")
    void dreqBeforeRtuImpliesThatTheConnectionStood() throws VerbsException {
        target.acceptAll(SERVICE);
        lose(RTU);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        clock.advance(SECOND);
        assertThat(target.events).containsExactly("post in INIT", "established", "disconnected");
        assertThat(wire.frames(DREP)).hasSize(1);
    }

    @Test
    void disconnectBeforeRtuRejectsAndTellsBothSides() throws VerbsException {
        List<Connection> accepted = new ArrayList<>();
        target.manager.listen(SERVICE, request -> accepted.add(target.accept(request)));
        lose(RTU);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        accepted.getFirst().disconnect();
        clock.advance(SECOND);
        assertThat(rej(wire.frames(REJ).getFirst()).reason()).isEqualTo(28);
        assertThat(target.events).containsExactly("post in INIT", "disconnected");
        assertThat(initiator.events).containsExactly("established", "disconnected");
    }

    @Test
    void closedConnectionCallsNobody() throws VerbsException {
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.close();
        clock.advance(10 * SECOND);
        assertThat(initiator.events).containsExactly("established");
        assertThat(target.events).contains("disconnected");
        assertThat(initiator.isClean()).isTrue();
    }

    @Test
    void consumersMayCloseFromInsideEveryCallback() throws VerbsException {
        target.acceptAll(SERVICE);
        target.closesInCallbacks = true;
        initiator.closesInCallbacks = true;
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("established");
        assertThat(target.events).containsExactly("post in INIT", "established");

        FakeQueuePair broken = initiator.newQueuePair();
        broken.refuseRtr = true;
        initiator.connect(target, broken, SERVICE);
        clock.advance(SECOND);
        lose(REP);
        initiator.connect(target, SERVICE);
        clock.advance(Duration.ofMinutes(3).toNanos());
        assertThat(target.events).contains("rejected NO_QUEUE_PAIR", "unreachable");
        assertThat(initiator.events).contains("rejected NO_QUEUE_PAIR", "unreachable");
        assertThat(target.isClean()).isTrue();
        assertThat(initiator.isClean()).isTrue();
    }

    @Test
    void consumerThatThrowsRefusesTheRequest() throws VerbsException {
        target.manager.listen(SERVICE, request -> {
            throw new IllegalStateException("consumer of the test");
        });
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("rejected NO_RESOURCES");
        assertThat(target.manager.counters().handlerFailures.get()).isEqualTo(1);
        target.manager.counters().handlerFailures.decrement();
    }

    @Test
    void timeWaitIsBounded() throws VerbsException {
        target.acceptAll(SERVICE);
        for (int i = 0; i < 6; i++) {
            Connection connection = initiator.connect(target, SERVICE);
            clock.advance(SECOND / 100);
            connection.disconnect();
            clock.advance(SECOND / 100);
        }
        assertThat(target.manager.counters().timeWait.get()).isEqualTo(3);
        assertThat(target.manager.counters().timeWaitEvictions.get()).isEqualTo(3);
        assertThat(target.events).filteredOn("time wait over"::equals).hasSize(3);
    }

    @Test
    void aThousandConnectionsLeaveNothingBehind() throws VerbsException {
        target.acceptAll(SERVICE);
        for (int i = 0; i < 1000; i++) {
            Connection connection = initiator.connect(target, SERVICE);
            clock.advance(SECOND / 100);
            connection.close();
        }
        clock.advance(3 * SECOND);
        assertThat(target.events).filteredOn("disconnected"::equals).hasSize(1000);
        assertThat(target.isClean()).isTrue();
        assertThat(initiator.isClean()).isTrue();
    }

    @Test
    void randomLossesAndDuplicatesEndEveryConnectionOnBothSidesOnce() throws VerbsException {
        long seed = 20261202;
        Random random = new Random(seed);
        target.acceptAll(SERVICE);
        wire.copies(frame -> random.nextInt(10) < 4 ? 0 : 1 + random.nextInt(2));
        for (int i = 0; i < 60; i++) {
            initiator.events.clear();
            target.events.clear();
            Connection connection = initiator.connect(target, SERVICE);
            clock.advance(random.nextLong(100 * SECOND));
            connection.disconnect();
            clock.advance(150 * SECOND);
            assertThat(initiator.events)
                    .as("seed %d run %d", seed, i)
                    .filteredOn(CmScenario::isEnd)
                    .hasSize(1);
            long established =
                    target.events.stream().filter("post in INIT"::equals).count();
            assertThat(target.events)
                    .as("seed %d run %d", seed, i)
                    .filteredOn(CmScenario::isEnd)
                    .hasSize((int) established);
            assertThat(target.isClean()).as("seed %d run %d", seed, i).isTrue();
        }
    }

    @Test
    void randomMessagesNeverHurt() throws VerbsException {
        long seed = 42;
        Random random = new Random(seed);
        target.acceptAll(SERVICE);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        List<Frame> seen = List.copyOf(wire.frames());
        for (int i = 0; i < 5000; i++) {
            byte[] mad = seen.get(random.nextInt(seen.size())).mad().clone();
            for (int flips = random.nextInt(6); flips > 0; flips--) {
                mad[MadHeader.LENGTH + random.nextInt(CmMessage.LENGTH)] = (byte) random.nextInt();
            }
            mad[MadHeader.ATTRIBUTE_ID_OFFSET + 1] = (byte) (0x10 + random.nextInt(11));
            wire.inject(initiator.gid, target.gid, mad);
            clock.advance(random.nextLong(SECOND));
        }
        clock.advance(Duration.ofMinutes(5).toNanos());
        assertThat(target.transport.pool().inUse().get()).isZero();
        assertThat(target.transport.openHandles()).isZero();
    }
}
