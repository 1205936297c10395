package io.srpt.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.mad.MadWire.Frame;
import io.srpt.verbs.Access;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.VerbsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConnectionEstablishmentTest extends CmScenario {
    @Test
    void connectsQueuePairsThatAgreeOnNumbersPathAndReads() throws VerbsException {
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE, (byte) 7, (byte) 8);
        assertThat(initiator.state(0)).isEqualTo(QueuePairState.INIT);
        clock.advance(SECOND);

        assertThat(initiator.events).containsExactly("established");
        assertThat(target.events).containsExactly("post in INIT", "established");
        assertThat(connection.isEstablished()).isTrue();
        FakeQueuePair ours = initiator.queuePair(0);
        FakeQueuePair theirs = target.queuePair(0);
        assertThat(ours.rtr.remoteQueuePair()).isEqualTo(theirs.number());
        assertThat(theirs.rtr.remoteQueuePair()).isEqualTo(ours.number());
        assertThat(ours.rts.sendPsn()).isEqualTo(theirs.rtr.receivePsn());
        assertThat(theirs.rts.sendPsn()).isEqualTo(ours.rtr.receivePsn());
        assertThat(theirs.rtr.path().destination()).isEqualTo(initiator.gid);
        assertThat(theirs.rtr.path().flowLabel()).isEqualTo(ours.rtr.path().flowLabel());
        assertThat(theirs.rtr.path().hopLimit()).isEqualTo(64);
        assertThat(theirs.rtr.pathMtu()).isEqualTo(1024);
        assertThat(theirs.rts.ackTimeout()).isEqualTo(19);
        assertThat(theirs.rts.retryCount()).isEqualTo(7);
        assertThat(theirs.rts.rnrRetryCount()).isEqualTo(7);
        assertThat(theirs.rts.maxOutboundReads()).as("what REQ grants").isEqualTo(3);
        assertThat(theirs.init.access()).as("the peer gets no rights").isEqualTo(Access.LOCAL_WRITE);
        assertThat(initiator.establishedData).hasSize(196).startsWith(0xC0, 1, 2);
    }

    @Test
    @Tag("pitfall-15")
    @Tag("pitfall-22")
    void rdmaCmHeaderIsStrippedAndGivesThePeersAddress() throws VerbsException {
        target.acceptAll(SERVICE);
        initiator.connect(target, SERVICE, (byte) 7, (byte) 8);
        clock.advance(SECOND);

        ConnectionRequest request = target.requests.getFirst();
        assertThat(request.isRdmaCm()).isTrue();
        assertThat(request.privateData()).hasSize(56).startsWith(7, 8, 0);
        assertThat(request.remoteAddress().getHostAddress()).isEqualTo("192.0.2.21");
        assertThat(request.remoteNodeGuid()).isEqualTo(0x15);
        assertThat(request.pkey()).isEqualTo(0xFFFF);
        assertThat(rep(wire.frames(REP).getFirst()).sharedReceiveQueue()).isFalse();
    }

    @Test
    @Tag("pitfall-22")
    void plainIbFormHasAllPrivateDataAndTellsOfASharedReceiveQueue() throws VerbsException {
        target.acceptAll(IB_SERVICE);
        initiator.connect(target, IB_SERVICE, (byte) 7);
        clock.advance(SECOND);

        assertThat(target.requests.getFirst().isRdmaCm()).isFalse();
        assertThat(target.requests.getFirst().privateData()).hasSize(92).startsWith(7, 0);
        assertThat(rep(wire.frames(REP).getFirst()).sharedReceiveQueue()).isTrue();
        assertThat(initiator.events).containsExactly("established");
    }

    @Test
    void answersRepeatTheTransactionIdOfReq() throws VerbsException {
        target.acceptAll(SERVICE);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        assertThat(wire.frames())
                .hasSize(3)
                .allMatch(f -> f.header().transactionId()
                        == wire.frames().getFirst().header().transactionId());
    }

    @Test
    @Tag("pitfall-8")
    void sameReqWhileTheConsumerThinksIsAnsweredByMraAndMakesOneRequest() throws VerbsException {
        target.keepAll(SERVICE);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        Frame req = wire.frames(REQ).getFirst();
        for (int i = 0; i < 4; i++) {
            wire.inject(initiator.gid, target.gid, req.mad());
            clock.advance(SECOND / 4);
        }
        assertThat(target.requests).hasSize(1);
        assertThat(wire.frames(MRA)).hasSize(4);
        clock.advance(10 * SECOND);
        assertThat(wire.frames(REQ)).as("MRA stops the repetition").hasSize(5);

        target.accept(target.requests.getFirst());
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("established");
        assertThat(target.manager.counters().duplicates(CmMessageType.REQ).get())
                .isEqualTo(4);
    }

    @Test
    @Tag("pitfall-8")
    void sameReqAfterRepIsIgnored() throws VerbsException {
        target.acceptAll(SERVICE);
        lose(RTU);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        wire.inject(initiator.gid, target.gid, wire.frames(REQ).getFirst().mad());
        clock.advance(SECOND);
        assertThat(wire.frames(REP)).hasSize(1);
        assertThat(target.requests).hasSize(1);
    }

    @Test
    void lostReqIsRepeatedUnchanged() throws VerbsException {
        target.acceptAll(SERVICE);
        loseFirst(REQ, 2);
        initiator.connect(target, SERVICE);
        clock.advance(3 * REPEAT);
        assertIdenticalAndSpaced(wire.frames(REQ), 3);
        assertThat(initiator.events).containsExactly("established");
    }

    @Test
    @Tag("pitfall-10")
    void lostRepIsRepeatedUnchanged() throws VerbsException {
        target.acceptAll(SERVICE);
        loseFirst(REP, 3);
        initiator.connect(target, SERVICE);
        clock.advance(5 * REPEAT);
        assertIdenticalAndSpaced(wire.frames(REP), 4);
        assertThat(target.requests).hasSize(1);
        assertThat(target.events).containsExactly("post in INIT", "established");
    }

    @Test
    void lostRtuIsSentAgainForTheRepeatedRep() throws VerbsException {
        target.acceptAll(SERVICE);
        loseFirst(RTU, 2);
        initiator.connect(target, SERVICE);
        clock.advance(4 * REPEAT);
        assertThat(wire.frames(RTU)).hasSize(3);
        assertThat(target.events).containsExactly("post in INIT", "established");
        assertThat(initiator.events).containsExactly("established");
    }

    @Test
    @Tag("pitfall-10")
    void firstPacketCountsAsRtu() throws VerbsException {
        target.acceptAll(SERVICE);
        lose(RTU);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        target.manager.communicationEstablished(target.queuePair(0).number());
        target.manager.communicationEstablished(target.queuePair(0).number());
        target.manager.communicationEstablished(0x777);
        clock.advance(20 * REPEAT);
        assertThat(target.events).containsExactly("post in INIT", "established");
        assertThat(wire.frames(REP)).hasSize(1);
    }

    @Test
    @Tag("pitfall-10")
    @Tag("pitfall-13")
    void passiveSideGivesUpAfterFifteenRepetitions() throws VerbsException {
        target.acceptAll(SERVICE);
        lose(REP);
        initiator.connect(target, SERVICE);
        clock.advance(15 * REPEAT + SECOND);
        assertThat(target.events).containsExactly("post in INIT");
        clock.advance(REPEAT);
        assertThat(wire.frames(REP)).hasSize(16);
        assertThat(target.events).containsExactly("post in INIT", "unreachable");
        assertThat(target.state(0)).isEqualTo(QueuePairState.ERR);
        clock.advance(TIME_WAIT);
        assertThat(target.events).endsWith("time wait over");
    }

    @Test
    void activeSideGivesUpAfterFifteenRepetitions() throws VerbsException {
        lose(REQ);
        initiator.connect(target, SERVICE);
        clock.advance(16 * REPEAT + SECOND);
        assertThat(wire.frames(REQ)).hasSize(16);
        assertThat(initiator.events).containsExactly("unreachable");
        assertThat(initiator.state(0)).isEqualTo(QueuePairState.ERR);
        assertThat(initiator.isClean()).isTrue();
    }

    @Test
    void everyMessageTwiceChangesNothing() throws VerbsException {
        wire.copies(frame -> 2);
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        clock.advance(SECOND);
        assertThat(target.requests).hasSize(1);
        assertThat(initiator.events).containsExactly("established", "disconnected");
        assertThat(target.events).containsExactly("post in INIT", "established", "disconnected");
    }
}
