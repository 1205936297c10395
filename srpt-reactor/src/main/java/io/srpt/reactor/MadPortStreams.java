package io.srpt.reactor;

import io.srpt.counter.Counter;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadReceiveHandler;
import io.srpt.mad.MadSendCompletion;
import io.srpt.mad.MadSendHandler;
import io.srpt.mad.MadService;
import io.srpt.mad.ReceivedMad;
import io.srpt.reactor.event.MadArrived;
import io.srpt.reactor.event.MadSent;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * The management datagrams of one port as streams: takes the place of the port's send handler, and of the receive handler
 * of the agents that are served.
 *
 * <pre>
 *   MadService ─ onSendCompletion ─▶ count by status ─▶ copy for observers ─▶ OwningStream ─▶ MadSendSubscriber, or a user
 *   MadAgent   ─ onReceive ────────▶ copy for observers ─▶ OwningStream ─▶ MadReceiveSubscriber, or a user
 * </pre>
 *
 * <p>Threads: the port's loop; the streams and counters from anywhere.
 */
public final class MadPortStreams {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();

    private final MadService service;
    private final EventStream observers;
    private final MadSendHandler before;
    private final OwningStream<MadSendCompletion> sends;
    private final OwningStream<MadReceived> receives;
    private final Counter[] byStatus = new Counter[STATUSES.length];
    private final MadHeader header = new MadHeader();
    private final List<Runnable> restore = new ArrayList<>();
    private final Sends sendHandler = new Sends();
    private final Receives receiveHandler = new Receives();

    /** Takes the place of the send handler of {@code service}; {@code handler} owns what no subscriber does. On the loop. */
    MadPortStreams(MadService service, EventStream observers, MadSendSubscriber handler, HandlerErrors errors) {
        this.service = service;
        this.observers = observers;
        int buffers = service.pool().capacity();
        sends = new OwningStream<>(
                service.name() + " MAD sends",
                service.loop(),
                buffers,
                new SendOwnership(),
                errors,
                HandlerErrors.Handler.MAD_SEND);
        receives = new OwningStream<>(
                service.name() + " MAD receives",
                service.loop(),
                buffers,
                new ReceiveOwnership(),
                errors,
                HandlerErrors.Handler.MAD_RECEIVE);
        for (int i = 0; i < byStatus.length; i++) {
            byStatus[i] = new Counter();
        }
        sends.resident(handler);
        before = service.sendHandler();
        service.sendHandler(sendHandler);
    }

    /** Name of the port. */
    public String port() {
        return service.name();
    }

    /** The port's datagrams, with its pool and counters. */
    public MadService service() {
        return service;
    }

    /** See {@link SrptStreams#madSendCompletions()}. */
    public Flux<MadSendCompletion> sendCompletions() {
        return sends;
    }

    /** See {@link SrptStreams#madReceives()}. */
    public Flux<MadReceived> receives() {
        return receives;
    }

    /** Sends that ended with {@code status}, whoever handled them. */
    public Counter completions(WorkCompletionStatus status) {
        return byStatus[status.ordinal()];
    }

    /** Send completions that the stream released because no owner did. */
    public Counter sendFallbackReleases() {
        return sends.fallbackReleases();
    }

    /** Received datagrams that the stream released because no owner did. */
    public Counter receiveFallbackReleases() {
        return receives.fallbackReleases();
    }

    /**
     * What {@code agent} receives goes through the stream from now on; {@code handler} owns what no subscriber does, and
     * {@code direct} gets it when the streams are closed.
     */
    void serve(MadAgent agent, MadReceiveSubscriber handler, MadReceiveHandler direct) {
        receives.resident(handler);
        restore.add(() -> agent.receiveHandler(direct));
        agent.receiveHandler(receiveHandler);
    }

    /** Gives the send handler's place back, and ends both streams. */
    void close() {
        if (service.sendHandler() == sendHandler) {
            service.sendHandler(before);
        }
        restore.forEach(Runnable::run);
        restore.clear();
        sends.close();
        receives.close();
    }

    private final class Sends implements MadSendHandler {
        @Override
        public void onSendCompletion(MadAgent agent, MadSendCompletion completion) {
            byStatus[completion.status().ordinal()].increment();
            if (observers.isObserved()) {
                observers.emit(new MadSent(
                        service.name(),
                        completion.status(),
                        completion.vendorError(),
                        agent.managementClass(),
                        completion.method(),
                        completion.attributeId(),
                        completion.transactionId()));
            }
            sends.offer(completion);
        }

        @Override
        public boolean keepsAfterAgentClosed() {
            return true;
        }

        @Override
        public void onClosed() {
            MadPortStreams.this.close();
        }
    }

    private final class Receives implements MadReceiveHandler {
        @Override
        public void onReceive(MadAgent agent, ReceivedMad mad) {
            MadReceived received = MadReceived.of(mad, header);
            if (observers.isObserved()) {
                observers.emit(new MadArrived(
                        service.name(),
                        mad.source().gid(),
                        agent.managementClass(),
                        received.method(),
                        received.attributeId(),
                        received.attributeModifier(),
                        received.transactionId()));
            }
            receives.offer(received);
        }

        @Override
        public void onClosed(MadAgent agent) {
            receives.discardQueued(received -> received.mad().agent() == agent);
        }
    }

    private static final class SendOwnership implements OwningStream.Ownership<MadSendCompletion> {
        @Override
        public int slot(MadSendCompletion completion) {
            return (int) completion.token();
        }

        @Override
        public boolean isHeld(MadSendCompletion completion) {
            return completion.isHeld();
        }

        @Override
        public void release(MadSendCompletion completion) {
            completion.release();
        }
    }

    private static final class ReceiveOwnership implements OwningStream.Ownership<MadReceived> {
        @Override
        public int slot(MadReceived received) {
            return (int) received.mad().token();
        }

        @Override
        public boolean isHeld(MadReceived received) {
            return received.mad().isHeld();
        }

        @Override
        public void release(MadReceived received) {
            received.release();
        }
    }
}
