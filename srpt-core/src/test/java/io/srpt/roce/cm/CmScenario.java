package io.srpt.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualClock;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadWire;
import io.srpt.mad.MadWire.Frame;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two managers back to back on a simulated wire, and the check that nothing is held in the end. */
abstract class CmScenario {
    static final long SERVICE = ConnectionManager.rdmaCmServiceId(4420);
    static final long IB_SERVICE = 0x5054_00FF_FE5A_0114L;
    static final long SECOND = 1_000_000_000L;
    static final long REPEAT = 4096 * 1_000_000L;
    static final long TIME_WAIT = 2048 * 1_000_000L;

    static final int REQ = CmMessageType.REQ.attributeId();
    static final int MRA = CmMessageType.MRA.attributeId();
    static final int REJ = CmMessageType.REJ.attributeId();
    static final int REP = CmMessageType.REP.attributeId();
    static final int RTU = CmMessageType.RTU.attributeId();
    static final int DREQ = CmMessageType.DREQ.attributeId();
    static final int DREP = CmMessageType.DREP.attributeId();

    final VirtualClock clock = new VirtualClock();
    final MadWire wire = new MadWire();
    CmEnd initiator;
    CmEnd target;

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

    static boolean isEnd(String event) {
        return event.equals("disconnected") || event.startsWith("rejected") || event.equals("unreachable");
    }

    /** Sends a good REQ that {@code change} has spoilt, and returns the REJ that it gets. */
    final RejMessage refusal(Consumer<ReqMessage> change) {
        int before = wire.frames(REJ).size();
        inject(0x1000 + before, change);
        assertThat(wire.frames(REJ)).hasSize(before + 1);
        return rej(wire.frames(REJ).getLast());
    }

    final void inject(int communicationId, Consumer<ReqMessage> change) {
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

    final void lose(int attribute) {
        wire.copies(frame -> frame.attributeId() == attribute ? 0 : 1);
    }

    final void loseFirst(int attribute, int count) {
        wire.copies(frame ->
                frame.attributeId() == attribute && wire.frames(attribute).size() <= count ? 0 : 1);
    }

    static void assertIdenticalAndSpaced(List<Frame> frames, int count) {
        assertThat(frames).hasSize(count);
        for (int i = 1; i < count; i++) {
            assertThat(Arrays.equals(frames.get(i).mad(), frames.getFirst().mad()))
                    .isTrue();
            assertThat(frames.get(i).nanos() - frames.get(i - 1).nanos()).isEqualTo(REPEAT);
        }
    }

    static RejMessage rej(Frame frame) {
        return new RejMessage().wrap(ByteBuffer.wrap(frame.mad()), MadHeader.LENGTH);
    }

    static RepMessage rep(Frame frame) {
        return new RepMessage().wrap(ByteBuffer.wrap(frame.mad()), MadHeader.LENGTH);
    }
}
