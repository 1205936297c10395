package io.srpt.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.loop.VirtualClock;
import io.srpt.loop.VirtualLoop;
import io.srpt.verbs.Gid;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MadServiceTest {
    private static final int CLASS = 0x32;
    private static final int BUFFERS = 8;
    private static final long SECOND = 1_000_000_000L;
    private static final Gid HERE = Gid.parse("192.0.2.1");
    private static final Gid THERE = Gid.parse("192.0.2.2");

    private final VirtualClock clock = new VirtualClock();
    private final MadWire wire = new MadWire();
    private final VirtualLoop hereLoop = clock.newLoop("here");
    private final VirtualLoop thereLoop = clock.newLoop("there");
    private final MadWire.Transport here = wire.attach(hereLoop, HERE, BUFFERS);
    private final MadWire.Transport there = wire.attach(thereLoop, THERE, BUFFERS);
    private final List<MadSendCompletion> completions = new ArrayList<>();
    private final List<ReceivedMad> received = new ArrayList<>();
    private final MadReceiveHandler keep = (agent, mad) -> received.add(mad);
    private MadService service;
    private MadService peer;

    @BeforeEach
    void start() throws VerbsException {
        service = new MadService(hereLoop, here);
        peer = new MadService(thereLoop, there);
        service.start();
        peer.start();
    }

    @AfterEach
    void nothingIsHeld() {
        clock.advance(SECOND);
        completions.clear();
        service.close();
        peer.close();
        assertThat(here.openHandles() + there.openHandles()).isZero();
        assertThat(here.pool().inUse().get() + there.pool().inUse().get()).isZero();
        assertThat(clock.armedDeadlines()).isZero();
    }

    @Test
    void defaultHandlerReleasesEachSendAndCountsItByStatus() throws VerbsException {
        ReleasingMadSendHandler handler = new ReleasingMadSendHandler();
        service.sendHandler(handler);
        MadAgent agent = service.register(CLASS, 1, keep);
        for (int i = 0; i < 100; i++) {
            assertThat(send(agent, MadHeader.METHOD_SEND, i)).isEqualTo(PostResult.OK);
            clock.runUntilIdle();
        }
        here.completeSendsWith(WorkCompletionStatus.GENERAL_ERROR);
        send(agent, MadHeader.METHOD_SEND, 100);
        clock.runUntilIdle();
        assertThat(handler.completions(WorkCompletionStatus.SUCCESS).get()).isEqualTo(100);
        assertThat(handler.completions(WorkCompletionStatus.GENERAL_ERROR).get())
                .isEqualTo(1);
        assertThat(service.counters().addressHandles.get()).isZero();
        assertThat(here.pool().inUse().get()).isZero();
    }

    @Test
    void ownerOfCompletionsGetsEachOnceInOrderAndReleasesOnce() throws VerbsException {
        service.sendHandler((agent, completion) -> completions.add(completion));
        MadAgent agent = service.register(CLASS, 1, keep);
        for (int i = 0; i < 3; i++) {
            send(agent, MadHeader.METHOD_SEND, i);
        }
        clock.runUntilIdle();
        assertThat(completions).extracting(MadSendCompletion::transactionId).containsExactly(0L, 1L, 2L);
        assertThat(completions).allMatch(c -> c.agent() == agent);
        assertThat(here.pool().inUse().get()).isEqualTo(3);

        MadSendCompletion first = completions.getFirst();
        assertThat(first.release()).isTrue();
        assertThat(first.release()).isFalse();
        send(agent, MadHeader.METHOD_SEND, 9);
        assertThat(first.release()).as("the buffer has another holder now").isFalse();
        assertThat(service.counters().staleSendReleases.get()).isEqualTo(2);
        clock.runUntilIdle();
    }

    @Test
    void slowOwnerEmptiesThePoolAndTheNextDatagramIsDroppedAndCounted() throws VerbsException {
        service.sendHandler((agent, completion) -> completions.add(completion));
        MadAgent agent = service.register(CLASS, 1, keep, MadHeader.METHOD_SEND);
        MadAgent sender = peer.register(CLASS, 1, keep);
        for (int i = 0; i < BUFFERS; i++) {
            send(agent, MadHeader.METHOD_SEND, i);
        }
        clock.runUntilIdle();
        assertThat(agent.allocate()).isNull();
        send(sender, HERE, MadHeader.METHOD_SEND, 1);
        clock.advance(SECOND);
        assertThat(service.counters().dropped(MadDropReason.POOL_EMPTY).get()).isEqualTo(1);

        completions.removeFirst().release();
        send(sender, HERE, MadHeader.METHOD_SEND, 2);
        clock.advance(SECOND);
        assertThat(received).hasSize(1);
    }

    @Test
    void handlersThatThrowLeakNothing() throws VerbsException {
        service.sendHandler((agent, completion) -> {
            throw new IllegalStateException("send handler of the test");
        });
        MadAgent agent = service.register(CLASS, 1, keep);
        peer.register(
                CLASS,
                1,
                (ignored, mad) -> {
                    throw new IllegalStateException("receive handler of the test");
                },
                MadHeader.METHOD_SEND);
        send(agent, MadHeader.METHOD_SEND, 1);
        send(agent, MadHeader.METHOD_SEND, 2);
        clock.advance(SECOND);
        assertThat(service.counters().handlerFailures.get()).isEqualTo(2);
        assertThat(peer.counters().handlerFailures.get()).isEqualTo(2);
        assertThat(here.pool().inUse().get() + there.pool().inUse().get()).isZero();
    }

    @Test
    void closingAgentFlushesWhatIsUnderWayAndReleasesWhatIsHeld() throws VerbsException {
        service.sendHandler((agent, completion) -> completions.add(completion));
        MadAgent agent = service.register(CLASS, 1, keep, MadHeader.METHOD_SEND);
        send(agent, MadHeader.METHOD_SEND, 1);
        send(peer.register(CLASS, 1, keep), HERE, MadHeader.METHOD_SEND, 7);
        clock.advance(SECOND);
        here.holdSends();
        send(agent, MadHeader.METHOD_SEND, 2);
        request(agent, 3, SECOND, 0);
        agent.close();
        assertThat(completions)
                .extracting(MadSendCompletion::status)
                .containsExactly(
                        WorkCompletionStatus.SUCCESS,
                        WorkCompletionStatus.WORK_REQUEST_FLUSHED,
                        WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        assertThat(here.pool().inUse().get()).as("the transport still has two").isEqualTo(2);
        here.completeHeldSends();
        assertThat(here.pool().inUse().get()).isZero();
        assertThat(completions).hasSize(3);
        assertThat(completions.getFirst().release()).isFalse();
        assertThat(received.getFirst().release()).isFalse();
        assertThat(send(agent, MadHeader.METHOD_SEND, 4)).isEqualTo(PostResult.WRONG_STATE);
    }

    @Test
    void sendThatCannotBePostedFreesEverythingAtOnce() throws VerbsException {
        service.sendHandler((agent, completion) -> completions.add(completion));
        MadAgent agent = service.register(CLASS, 1, keep);
        here.answerPostsWith(PostResult.QUEUE_FULL);
        assertThat(send(agent, MadHeader.METHOD_SEND, 1)).isEqualTo(PostResult.QUEUE_FULL);
        here.answerPostsWith(PostResult.OK);
        assertThat(send(agent, Gid.ZERO, MadHeader.METHOD_SEND, 1)).isEqualTo(PostResult.INVALID);
        clock.runUntilIdle();
        assertThat(completions).isEmpty();
        assertThat(service.counters().sendsRefused.get()).isEqualTo(2);
    }

    @Test
    void requestIsRepeatedUntilItsResponseComes() throws VerbsException {
        service.sendHandler((agent, completion) -> {
            completions.add(completion);
            completion.release();
        });
        answerGets();
        wire.copies(frame -> wire.frames().size() <= 2 ? 0 : 1);
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 3);
        clock.advance(10 * SECOND);
        assertThat(wire.frames().stream().filter(f -> f.source().equals(HERE))).hasSize(3);
        assertThat(received).hasSize(1);
        assertThat(completions).extracting(MadSendCompletion::status).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(service.counters().retries.get()).isEqualTo(2);
        received.forEach(ReceivedMad::release);
    }

    @Test
    void requestWithoutResponseTimesOut() throws VerbsException {
        service.sendHandler((agent, completion) -> {
            completions.add(completion);
            completion.release();
        });
        wire.copies(frame -> 0);
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 2);
        clock.advance(3 * SECOND - 1000);
        assertThat(completions).isEmpty();
        clock.advance(2000);
        assertThat(completions)
                .extracting(MadSendCompletion::status)
                .containsExactly(WorkCompletionStatus.RESPONSE_TIMEOUT);
        assertThat(wire.frames()).hasSize(3);
        assertThat(service.counters().responseTimeouts.get()).isEqualTo(1);
    }

    @Test
    void responseBeforeTheSendCompletesIsDeliveredAndTheSendEndsOnce() throws VerbsException {
        service.sendHandler((agent, completion) -> {
            completions.add(completion);
            completion.release();
        });
        answerGets();
        here.holdSends();
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 2);
        clock.advance(SECOND / 2);
        assertThat(received).hasSize(1);
        assertThat(completions).isEmpty();
        here.completeHeldSends();
        assertThat(completions).hasSize(1);
        received.forEach(ReceivedMad::release);
    }

    @Test
    void responseFromElsewhereOrForNobodyIsDropped() throws VerbsException {
        MadAgent agent = service.register(CLASS, 1, keep);
        wire.copies(frame -> frame.source().equals(HERE) ? 0 : 1);
        request(agent, agent.nextTransactionId(), SECOND, 0);
        byte[] response = wire.frames().getFirst().mad().clone();
        response[MadHeader.METHOD_OFFSET] = (byte) MadHeader.METHOD_GET_RESPONSE;
        wire.inject(Gid.parse("192.0.2.66"), HERE, response);
        clock.advance(SECOND / 2);
        clock.advance(SECOND);
        wire.inject(THERE, HERE, response);
        clock.advance(SECOND);
        assertThat(received).isEmpty();
        assertThat(service.counters().dropped(MadDropReason.UNMATCHED_RESPONSE).get())
                .isEqualTo(2);
    }

    @Test
    void getsAndSetsOfAClassWithoutAgentAreAnsweredAndAllElseIsDropped() throws VerbsException {
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 0);
        clock.advance(SECOND / 2);
        MadHeader reply = wire.frames().getLast().header();
        assertThat(reply.method()).isEqualTo(0x81);
        assertThat(reply.status()).isEqualTo(0x000C);
        assertThat(received).hasSize(1);
        for (int method : new int[] {MadHeader.METHOD_SEND, 5, 6, 7, 0x7F}) {
            send(agent, method, method);
        }
        clock.advance(SECOND);
        assertThat(wire.frames()).hasSize(2 + 5);
        assertThat(peer.counters().dropped(MadDropReason.NO_AGENT).get()).isEqualTo(5);
        received.forEach(ReceivedMad::release);
    }

    @Test
    void otherBaseVersionIsDropped() {
        byte[] mad = new byte[MadHeader.MAD_LENGTH];
        mad[0] = 2;
        wire.inject(THERE, HERE, mad);
        clock.advance(SECOND);
        assertThat(service.counters().dropped(MadDropReason.BAD_BASE_VERSION).get())
                .isEqualTo(1);
    }

    @Test
    void agentsOfOneClassMayNotShareAMethod() throws VerbsException {
        MadAgent agent = service.register(CLASS, 1, keep, MadHeader.METHOD_GET, MadHeader.METHOD_SET);
        assertThatThrownBy(() -> service.register(CLASS, 1, keep, MadHeader.METHOD_SET))
                .isInstanceOf(VerbsException.class);
        service.register(CLASS, 2, keep, MadHeader.METHOD_SET);
        service.register(CLASS, 1, keep, MadHeader.METHOD_SEND);
        agent.close();
        service.register(CLASS, 1, keep, MadHeader.METHOD_SET);
    }

    @Test
    void replyThatIsDroppedEndsAsIfItHadGoneOut() throws VerbsException {
        List<MadReply> replies = new ArrayList<>();
        peer.replyInterceptor(reply -> {
            replies.add(reply);
            return replies.size() == 1 ? MadReplyFault.DROP : MadReplyFault.PASS;
        });
        List<MadSendCompletion> sent = new ArrayList<>();
        peer.sendHandler((agent, completion) -> {
            sent.add(completion);
            assertThat(completion.release()).isTrue();
        });
        answerGets();
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 1);
        clock.advance(SECOND / 2);
        assertThat(received).isEmpty();
        assertThat(sent).extracting(MadSendCompletion::status).containsExactly(WorkCompletionStatus.SUCCESS);
        assertThat(there.openHandles()).isZero();

        clock.advance(SECOND);
        assertThat(received).as("the answer to the repetition").hasSize(1);
        assertThat(sent).hasSize(2);
        assertThat(replies.getFirst().managementClass()).isEqualTo(CLASS);
        assertThat(replies.getFirst().attributeId()).isEqualTo(0x10);
        assertThat(peer.counters().faultsInjected.get()).isEqualTo(1);
        assertThat(peer.counters().sendsReleased.get()).isEqualTo(2);
        received.forEach(ReceivedMad::release);
    }

    @Test
    void replyThatIsDelayedGoesOutOnceAndLate() throws VerbsException {
        peer.replyInterceptor(reply -> MadReplyFault.delay(Duration.ofSeconds(2)));
        answerGets();
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), 5 * SECOND, 0);
        clock.advance(2 * SECOND);
        assertThat(received).isEmpty();
        assertThat(there.openHandles()).as("held with the reply").isEqualTo(1);
        clock.advance(SECOND);
        assertThat(received).hasSize(1);
        assertThat(there.openHandles()).isZero();
        received.forEach(ReceivedMad::release);
    }

    @Test
    void closingEndsRepliesThatAreHeld() throws VerbsException {
        peer.replyInterceptor(reply -> MadReplyFault.delay(Duration.ofSeconds(100)));
        List<MadSendCompletion> sent = new ArrayList<>();
        peer.sendHandler((agent, completion) -> {
            sent.add(completion);
            completion.release();
        });
        answerGets();
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 0);
        clock.advance(SECOND / 2);
        peer.close();
        assertThat(sent)
                .extracting(MadSendCompletion::status)
                .containsExactly(WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        assertThat(there.openHandles()).isZero();
    }

    @Test
    void replyInterceptorThatThrowsIsCountedAndTheReplyGoesOut() throws VerbsException {
        peer.replyInterceptor(reply -> {
            throw new IllegalStateException("interceptor of the test");
        });
        answerGets();
        MadAgent agent = service.register(CLASS, 1, keep);
        request(agent, agent.nextTransactionId(), SECOND, 0);
        clock.advance(SECOND / 2);
        assertThat(received).hasSize(1);
        assertThat(peer.counters().handlerFailures.get()).isEqualTo(1);
        received.forEach(ReceivedMad::release);
    }

    private void answerGets() throws VerbsException {
        peer.register(
                CLASS,
                1,
                (agent, mad) -> {
                    MadBuffer reply = agent.allocate();
                    if (reply != null) {
                        reply.copyFrom(mad.buffer());
                        new MadHeader()
                                .wrap(reply.buffer(), MadBuffer.MAD_OFFSET)
                                .method(MadHeader.METHOD_GET_RESPONSE);
                        agent.send(reply, mad.source());
                    }
                    mad.release();
                },
                MadHeader.METHOD_GET);
    }

    private static PostResult send(MadAgent agent, int method, long transactionId) {
        return send(agent, THERE, method, transactionId);
    }

    private static PostResult send(MadAgent agent, Gid to, int method, long transactionId) {
        return agent.send(mad(agent, method, transactionId), MadAddress.generalServices(0, to));
    }

    private static void request(MadAgent agent, long transactionId, long timeout, int retries) {
        agent.sendRequest(
                mad(agent, MadHeader.METHOD_GET, transactionId),
                MadAddress.generalServices(0, THERE),
                timeout,
                retries);
    }

    private static MadBuffer mad(MadAgent agent, int method, long transactionId) {
        MadBuffer buffer = agent.allocate();
        assertThat(buffer).isNotNull();
        new MadHeader().wrap(buffer.buffer(), MadBuffer.MAD_OFFSET).put(CLASS, 1, method, transactionId, 0x10, 0);
        return buffer;
    }
}
