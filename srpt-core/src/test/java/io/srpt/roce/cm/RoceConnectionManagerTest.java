package io.srpt.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.loop.VirtualClock;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadWire;
import io.srpt.mad.MadWire.Frame;
import io.srpt.verbs.Access;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoceConnectionManagerTest {
    private static final long SERVICE = ConnectionManager.rdmaCmServiceId(4420);
    private static final long IB_SERVICE = 0x5054_00FF_FE5A_0114L;
    private static final long SECOND = 1_000_000_000L;
    private static final long REPEAT = 4096 * 1_000_000L;
    private static final long TIME_WAIT = 2048 * 1_000_000L;

    private static final int REQ = CmMessageType.REQ.attributeId();
    private static final int MRA = CmMessageType.MRA.attributeId();
    private static final int REJ = CmMessageType.REJ.attributeId();
    private static final int REP = CmMessageType.REP.attributeId();
    private static final int RTU = CmMessageType.RTU.attributeId();
    private static final int DREQ = CmMessageType.DREQ.attributeId();
    private static final int DREP = CmMessageType.DREP.attributeId();

    private final VirtualClock clock = new VirtualClock();
    private final MadWire wire = new MadWire();
    private CmEnd initiator;
    private CmEnd target;

    @BeforeEach
    void connectWire() throws VerbsException {
        CmSettings settings = new CmSettings(20, 15, 4, 3, 12);
        initiator = new CmEnd(clock, wire, "initiator", "192.0.2.21", 0x15, settings, 1);
        target = new CmEnd(clock, wire, "target", "192.0.2.20", 0x14, settings, 2);
    }

    @AfterEach
    void nothingIsHeldInTheEnd() {
        wire.copies(frame -> 1);
        for (CmEnd end : List.of(initiator, target)) {
            end.requests.forEach(request -> request.reject(RejectReason.CONSUMER, new byte[0]));
        }
        clock.advance(Duration.ofMinutes(30).toNanos());
        initiator.manager.close();
        target.manager.close();
        clock.advance(SECOND);
        for (CmEnd end : List.of(initiator, target)) {
            assertThat(end.isClean()).as(end.loop.name()).isTrue();
            assertThat(end.transport.pool().staleReleases().get()).isZero();
            assertThat(end.mads.counters().staleSendReleases.get()).isZero();
            assertThat(end.manager.counters().handlerFailures.get()).isZero();
        }
        assertThat(clock.armedDeadlines()).isZero();
    }

    // Establishing

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
        assertThat(wire.frames()).hasSize(3).allMatch(f -> f.header().transactionId()
                == wire.frames().getFirst().header().transactionId());
    }

    // Losses and duplicates

    @Test
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
        assertThat(target.manager.counters().duplicates(CmMessageType.REQ).get()).isEqualTo(4);
    }

    @Test
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

    // Refusals

    @Test
    void consumersRejectCarriesReasonAndData() throws VerbsException {
        target.manager.listen(SERVICE, request -> request.reject(RejectReason.CONSUMER, new byte[] {(byte) 0xC2, 9}));
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("rejected CONSUMER");
        assertThat(initiator.rejectData).hasSize(148).startsWith(0xC2, 9);
        assertThat(initiator.isClean()).isTrue();
        assertThat(rej(wire.frames(REJ).getFirst()).localCommunicationId()).isZero();
    }

    @Test
    void unknownServiceIsRefused() throws VerbsException {
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("rejected INVALID_SERVICE_ID");
    }

    @Test
    void serviceIdsAreExclusiveAndFreeAfterClose() throws VerbsException {
        ConnectionManager.Listener listener = target.manager.listen(SERVICE, request -> {});
        assertThatThrownBy(() -> target.manager.listen(SERVICE, request -> {})).isInstanceOf(VerbsException.class);
        listener.close();
        target.manager.listen(SERVICE, request -> {});
    }

    @Test
    void badRequestsAreRefusedWithTheirReason() throws VerbsException {
        target.acceptAll(SERVICE);
        assertThat(refusal(req -> req.transportType(1)).reason()).isEqualTo(9);
        assertThat(refusal(req -> req.pathMtuCode(4)).reason()).as("2048 at a port of 1024").isEqualTo(26);
        assertThat(refusal(req -> req.pathMtuCode(0)).reason()).isEqualTo(26);
        assertThat(refusal(req -> req.pathMtuCode(15)).reason()).isEqualTo(26);
        assertThat(refusal(req -> req.localQueuePair(1)).reason()).isEqualTo(5);
        assertThat(refusal(req -> req.primaryLocalGid(Gid.parse("fe80::1"))).reason()).isEqualTo(5);
        assertThat(refusal(req -> req.primaryLocalGid(Gid.parse("224.0.0.1"))).reason()).isEqualTo(5);
        RejMessage wrongGid = refusal(req -> req.primaryRemoteGid(Gid.parse("192.0.2.99")));
        assertThat(wrongGid.reason()).isEqualTo(12);
        assertThat(wrongGid.infoLength()).isEqualTo(16);
        assertThat(wrongGid.getGid(RejMessage.INFO_OFFSET)).isEqualTo(target.gid);
        assertThat(target.requests).isEmpty();
    }

    @Test
    void badRdmaCmHeadersAreRefusedWithoutData() throws VerbsException {
        target.acceptAll(SERVICE);
        int header = ReqMessage.PRIVATE_DATA_OFFSET;
        assertThat(refusal(req -> req.putByte(header, 1)).reason()).isEqualTo(28);
        assertThat(refusal(req -> req.putByte(header + 1, 0x50)).reason()).isEqualTo(28);
        assertThat(refusal(req -> req.putByte(header + 35, 99)).reason()).as("destination").isEqualTo(28);
        RejMessage multicast = refusal(req -> req.putByte(header + 16, 224));
        assertThat(multicast.reason()).isEqualTo(28);
        assertThat(multicast.getBytes(RejMessage.PRIVATE_DATA_OFFSET, 148)).containsOnly(0);
        assertThat(target.requests).isEmpty();
    }

    @Test
    void floodOfRequestsIsBounded() throws VerbsException {
        target.keepAll(SERVICE);
        for (int i = 0; i < 12; i++) {
            inject(i + 1, req -> {});
        }
        assertThat(target.requests).hasSize(4);
        assertThat(target.manager.counters().halfOpen.get()).isEqualTo(4);
        assertThat(target.manager.counters().rejectsSent(RejectReason.NO_RESOURCES).get()).isEqualTo(8);
    }

    @Test
    void consumerThatNeverAnswersLosesTheRequest() throws VerbsException {
        target.keepAll(SERVICE);
        initiator.connect(target, SERVICE);
        clock.advance(66 * SECOND);
        ConnectionRequest request = target.requests.getFirst();
        assertThat(initiator.events).containsExactly("rejected TIMEOUT");
        assertThat(target.manager.counters().halfOpen.get()).isZero();
        assertThatThrownBy(() -> request.accept(target.newQueuePair(), 4, 4, new byte[0], () -> {}, target))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void failedAcceptLeavesTheRequestToTheConsumer() throws VerbsException {
        target.keepAll(SERVICE);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        FakeQueuePair broken = target.newQueuePair();
        broken.refuseRtr = true;
        ConnectionRequest request = target.requests.getFirst();
        assertThatThrownBy(() -> request.accept(broken, 4, 4, new byte[0], () -> {}, target))
                .isInstanceOf(VerbsException.class);
        request.reject(RejectReason.NO_RESOURCES, new byte[0]);
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("rejected NO_RESOURCES");
        assertThat(target.isClean()).isTrue();
    }

    @Test
    void rejectedRepEndsThePassiveSide() throws VerbsException {
        target.acceptAll(SERVICE);
        FakeQueuePair broken = initiator.newQueuePair();
        broken.refuseRtr = true;
        initiator.connect(target, broken, SERVICE);
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("rejected NO_QUEUE_PAIR");
        assertThat(target.events).containsExactly("post in INIT", "rejected NO_QUEUE_PAIR");
        assertThat(target.state(0)).isEqualTo(QueuePairState.ERR);
    }

    @Test
    void peerThatWithdrawsItsRequestIsForgotten() throws VerbsException {
        target.keepAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        connection.disconnect();
        clock.advance(SECOND);
        assertThat(initiator.events).containsExactly("disconnected");
        assertThat(target.manager.counters().halfOpen.get()).isZero();
        assertThat(target.isClean()).isTrue();
    }

    @Test
    void repForAConnectionGivenUpIsRejected() throws VerbsException {
        target.acceptAll(SERVICE);
        lose(REJ);
        Connection connection = initiator.connect(target, SERVICE);
        connection.close();
        wire.copies(frame -> 1);
        clock.advance(SECOND);
        assertThat(target.events).containsExactly("post in INIT", "rejected INVALID_COMMUNICATION_ID");
        assertThat(initiator.events).isEmpty();
    }

    // Stale connections

    @Test
    void knownQueuePairWithANewIdIsStaleAndEndsTheOldConnection() throws VerbsException {
        target.acceptAll(SERVICE);
        initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        FakeQueuePair again = new FakeQueuePair(initiator.queuePair(0).number());
        initiator.heldNumbers.clear();
        initiator.connect(target, again, SERVICE);
        clock.advance(SECOND);
        assertThat(initiator.events).contains("rejected STALE_CONNECTION", "disconnected");
        assertThat(wire.frames(DREQ)).hasSize(1);
        assertThat(target.events).endsWith("disconnected");
        assertThat(target.state(0)).isEqualTo(QueuePairState.ERR);
        initiator.heldNumbers.add(again.number());
    }

    @Test
    void rebootedPeerGetsInAgainOnceTimeWaitIsOver() throws VerbsException {
        target.acceptAll(SERVICE);
        lose(REP);
        inject(1, req -> {});
        wire.copies(frame -> 1);
        target.manager.communicationEstablished(target.queuePair(0).number());
        clock.advance(SECOND);
        // The peer has forgotten everything, so its manager answers our DREQ as it does unknown ones.
        inject(2, req -> req.localQueuePair(0x1500 + 1));
        clock.advance(TIME_WAIT + SECOND);
        assertThat(wire.frames(REJ)).hasSize(1).allMatch(f -> rej(f).reason() == 10);
        assertThat(target.events).containsExactly("post in INIT", "established", "disconnected", "time wait over");
        inject(3, req -> req.localQueuePair(0x1500 + 1));
        assertThat(target.requests).hasSize(2);
    }

    @Test
    void sameReqInTimeWaitIsStale() throws VerbsException {
        target.acceptAll(SERVICE);
        Connection connection = initiator.connect(target, SERVICE);
        clock.advance(SECOND);
        connection.disconnect();
        clock.advance(SECOND / 2);
        wire.inject(initiator.gid, target.gid, wire.frames(REQ).getFirst().mad());
        clock.advance(SECOND / 2);
        assertThat(rej(wire.frames(REJ).getFirst()).reason()).isEqualTo(10);
        assertThat(target.requests).hasSize(1);
    }

    // Ending

    @Test
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
                    .filteredOn(RoceConnectionManagerTest::isEnd)
                    .hasSize(1);
            long established =
                    target.events.stream().filter("post in INIT"::equals).count();
            assertThat(target.events)
                    .as("seed %d run %d", seed, i)
                    .filteredOn(RoceConnectionManagerTest::isEnd)
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

    private static boolean isEnd(String event) {
        return event.equals("disconnected") || event.startsWith("rejected") || event.equals("unreachable");
    }

    /** Sends a good REQ that {@code change} has spoilt, and returns the REJ that it gets. */
    private RejMessage refusal(Consumer<ReqMessage> change) {
        int before = wire.frames(REJ).size();
        inject(0x1000 + before, change);
        assertThat(wire.frames(REJ)).hasSize(before + 1);
        return rej(wire.frames(REJ).getLast());
    }

    private void inject(int communicationId, Consumer<ReqMessage> change) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_LENGTH);
        new MadHeader().wrap(mad, 0).put(7, 2, MadHeader.METHOD_SEND, communicationId, REQ, 0);
        ReqMessage req = new ReqMessage()
                .wrap(mad, MadHeader.LENGTH)
                .localCommunicationId(communicationId)
                .serviceId(SERVICE)
                .localCaGuid(0x15)
                .localQueuePair(0x1500 + communicationId)
                .responderResources(4)
                .localResponseTimeout(20)
                .pathMtuCode(3)
                .maxCmRetries(15)
                .primaryLocalGid(initiator.gid)
                .primaryRemoteGid(target.gid)
                .ackTimeout(19);
        new RdmaCmPrivateData(40000, initiator.gid, target.gid)
                .write(mad, MadHeader.LENGTH + ReqMessage.PRIVATE_DATA_OFFSET);
        change.accept(req);
        wire.inject(initiator.gid, target.gid, mad.array());
        clock.advance(SECOND / 100);
    }

    private void lose(int attribute) {
        wire.copies(frame -> frame.attributeId() == attribute ? 0 : 1);
    }

    private void loseFirst(int attribute, int count) {
        wire.copies(frame ->
                frame.attributeId() == attribute && wire.frames(attribute).size() <= count ? 0 : 1);
    }

    private static void assertIdenticalAndSpaced(List<Frame> frames, int count) {
        assertThat(frames).hasSize(count);
        for (int i = 1; i < count; i++) {
            assertThat(Arrays.equals(frames.get(i).mad(), frames.getFirst().mad())).isTrue();
            assertThat(frames.get(i).nanos() - frames.get(i - 1).nanos()).isEqualTo(REPEAT);
        }
    }

    private static RejMessage rej(Frame frame) {
        return new RejMessage().wrap(ByteBuffer.wrap(frame.mad()), MadHeader.LENGTH);
    }

    private static RepMessage rep(Frame frame) {
        return new RepMessage().wrap(ByteBuffer.wrap(frame.mad()), MadHeader.LENGTH);
    }
}
