package io.srpt.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConnectionRefusalTest extends CmScenario {
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
        assertThat(refusal(req -> req.pathMtuCode(4)).reason())
                .as("2048 at a port of 1024")
                .isEqualTo(26);
        assertThat(refusal(req -> req.pathMtuCode(0)).reason()).isEqualTo(26);
        assertThat(refusal(req -> req.pathMtuCode(15)).reason()).isEqualTo(26);
        assertThat(refusal(req -> req.localQueuePair(1)).reason()).isEqualTo(5);
        assertThat(refusal(req -> req.primaryLocalGid(Gid.parse("fe80::1"))).reason())
                .isEqualTo(5);
        assertThat(refusal(req -> req.primaryLocalGid(Gid.parse("224.0.0.1"))).reason())
                .isEqualTo(5);
        RejMessage wrongGid = refusal(req -> req.primaryRemoteGid(Gid.parse("192.0.2.99")));
        assertThat(wrongGid.reason()).isEqualTo(12);
        assertThat(wrongGid.infoLength()).isEqualTo(16);
        assertThat(wrongGid.getGid(RejMessage.INFO_OFFSET)).isEqualTo(target.gid);
        assertThat(target.requests).isEmpty();
    }

    @Test
    @Tag("pitfall-16")
    void badRdmaCmHeadersAreRefusedWithoutData() throws VerbsException {
        target.acceptAll(SERVICE);
        int header = ReqMessage.PRIVATE_DATA_OFFSET;
        assertThat(refusal(req -> req.putByte(header, 1)).reason()).isEqualTo(28);
        assertThat(refusal(req -> req.putByte(header + 1, 0x50)).reason()).isEqualTo(28);
        assertThat(refusal(req -> req.putByte(header + 35, 99)).reason())
                .as("destination")
                .isEqualTo(28);
        RejMessage multicast = refusal(req -> req.putByte(header + 16, 224));
        assertThat(multicast.reason()).isEqualTo(28);
        assertThat(multicast.getBytes(RejMessage.PRIVATE_DATA_OFFSET, 148)).containsOnly(0);
        assertThat(target.requests).isEmpty();
    }

    /** Who may log in is decided by the address: it is the one that the packet comes from. */
    @Test
    void nobodyLogsInWithTheAddressOfSomebodyElse() throws VerbsException {
        target.acceptAll(SERVICE);
        assertThat(refusal(req -> req.primaryLocalGid(Gid.parse("192.0.2.77"))).reason())
                .isEqualTo(5);
        int lastOfSource = ReqMessage.PRIVATE_DATA_OFFSET + 19;
        assertThat(refusal(req -> req.putByte(lastOfSource, 77)).reason())
                .as("only in the header of RDMA/CM")
                .isEqualTo(28);
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
        assertThat(target.manager
                        .counters()
                        .rejectsSent(RejectReason.NO_RESOURCES)
                        .get())
                .isEqualTo(8);
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
    @Tag("pitfall-14")
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

    @Test
    @Tag("pitfall-9")
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
    @Tag("pitfall-9")
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
    @Tag("pitfall-8")
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
}
