package io.srpt.target;

import io.srpt.srp.CommandValidator;
import io.srpt.srp.PortId;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One RC connection made by one login: what it owns, and where its completions go. Its states and the order of its end are
 * {@link ChannelLife}'s.
 *
 * <pre>
 *   receive ──▶ UnitDispatcher ──▶ CommandContext ──▶ SendQueue ──▶ queue pair
 *   READ ended ──────────────────▶ CommandContext          ▲ slots
 *   response, WRITE ended ─────────────────────────────────┘
 *   drain marker ──▶ ChannelLife
 * </pre>
 *
 * <p>Threads: the port's loop.
 */
final class SrptChannel implements ConnectionHandler, CompletionListener, QueuePairEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(SrptChannel.class);

    private final SrptPort port;
    private final TargetCounters counters;
    private final ChannelCounters channelCounters = new ChannelCounters();
    private final LoginTerms terms;
    private final ChannelLimits limits;
    private final ChannelMemory memory;
    private final ReceiveRing receives;
    private final ChannelQueues queues;
    private final Credits credits;
    private final ResponseBuffers responses;
    private final SendQueue sendQueue;
    private final TargetRequests requests;
    private final UnitDispatcher dispatcher;
    private final ChannelLife life;
    private final IdleProbe idleProbe;

    private @Nullable Nexus nexus;
    private @Nullable Admission admission;
    private boolean freed;

    /** Makes the channel with its queue pair in RESET; all or nothing. */
    SrptChannel(SrptPort port, LoginTerms terms) throws VerbsException {
        this.port = port;
        this.counters = port.counters();
        this.terms = terms;
        limits = port.limits();
        memory = ChannelMemory.take(port.memory());
        try {
            queues = ChannelQueues.open(
                    port.rdmaPort(), port.memory().protectionDomain(), limits, memory.shared(), this, this);
        } catch (VerbsException e) {
            memory.give(false);
            throw e;
        }
        receives = memory.receives(terms.immediateOffset(), queues.queuePair());
        credits = new Credits(counters, channelCounters, limits.requestLimit());
        responses = new ResponseBuffers(memory.buffers(), counters, terms.maxResponseLength(), limits.contexts());
        sendQueue = new SendQueue(counters, channelCounters, queues.queuePair(), responses, limits.segments());
        requests = new TargetRequests(this, counters, port.rdmaPort().loop(), terms.flags());
        life = new ChannelLife(port, this);
        idleProbe = new IdleProbe(port.rdmaPort().loop(), sendQueue);
        dispatcher = new UnitDispatcher(port, this);
        counters.channelsInUse.increment();
    }

    // The login.

    /** Makes it a channel of {@code joined}. */
    void join(Nexus joined, Admission why) {
        nexus = joined;
        admission = why;
        joined.join(this);
    }

    /** Accepts {@code request}; receives are posted before the reply. On an exception call {@link #discard()}. */
    void accept(ConnectionRequest request, int reads, byte[] loginResponse) throws VerbsException {
        life.accepted(request.accept(queues.queuePair(), 0, reads, loginResponse, memory::postOwnReceives, this));
    }

    /** Frees a channel that was never accepted. */
    void discard() {
        life.discarded();
        free();
    }

    @Override
    public void onEstablished(Connection established, byte[] privateData) {
        port.events().onConnectionEvent(info(), ConnectionEvent.ESTABLISHED);
        if (life.established()) {
            // Nothing is sent here: an initiator that uses RDMA/CM may not have posted its receives yet.
            dispatcher.runWaiting();
            idleProbe.start();
        }
    }

    // The end.

    @Override
    public void onDisconnected(Connection ended) {
        port.events().onConnectionEvent(info(), ConnectionEvent.DISCONNECTED);
        life.over(ChannelEnd.PEER_DISCONNECTED);
    }

    @Override
    public void onRejected(Connection ended, RejectReason reason, byte[] privateData) {
        port.events().onConnectionEvent(info(), ConnectionEvent.REJECTED);
        LOG.debug("{}: the initiator refused the reply: {}", this, reason);
        life.over(ChannelEnd.NOT_ESTABLISHED);
    }

    @Override
    public void onUnreachable(Connection ended) {
        port.events().onConnectionEvent(info(), ConnectionEvent.UNREACHABLE);
        life.over(ChannelEnd.NOT_ESTABLISHED);
    }

    /** Ends the channel from our side; {@code detail} is for the log. Nothing happens if it is ending. */
    void end(ChannelEnd why, String detail) {
        life.end(why, detail);
    }

    /** No more work: flushes what there is. Returns whether the drain marker was posted, and will complete. */
    boolean drain() {
        idleProbe.stop();
        sendQueue.clear();
        queues.queuePair().modifyToError();
        return sendQueue.postDrainMarker();
    }

    /** Gives up all that it holds, but for the buffers that a store still works on. Once, at the end. */
    void free() {
        Nexus joined = nexus;
        if (joined != null) {
            joined.leave(this);
        }
        life.closeConnection();
        queues.close();
        memory.forgetOwnReceives();
        memory.give(dispatcher.inUse() > 0);
        counters.channelsInUse.decrement();
        credits.end();
        freed = true;
    }

    /** Whether {@link #free()} has been called. */
    boolean isFreed() {
        return freed;
    }

    // Completions.

    @Override
    public void onCompletion(WorkCompletion completion) {
        if (life.state() == ChannelState.DISCONNECTED) {
            return;
        }
        try {
            sendQueue.holdResponses();
            serve(completion);
        } catch (RuntimeException e) {
            onBug("a completion could not be served", e);
        }
    }

    @Override
    public void onPolled() {
        sendQueue.postResponses();
    }

    /** Goes on with a command outside of a completion. */
    void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            onBug("a delayed command could not be served", e);
        }
    }

    /** A bug, of ours or of a store: it costs this channel, not the loop. */
    private void onBug(String what, RuntimeException e) {
        LOG.error("{}: {}", this, what, e);
        counters.handlerErrors.increment();
        end(ChannelEnd.INTERNAL_ERROR, e.toString());
    }

    private void serve(WorkCompletion completion) {
        long id = completion.wrId();
        int index = WorkRequestId.index(id);
        boolean good = completion.status() == WorkCompletionStatus.SUCCESS;
        if (!good) {
            counters.workErrors(completion.opcode(), completion.status()).increment();
        }
        switch (WorkRequestId.kind(id)) {
            case WorkRequestId.RECEIVE -> onReceive(index, good, completion);
            case WorkRequestId.TABLE_READ, WorkRequestId.DATA_READ -> {
                checkSend(good, completion);
                dispatcher.context(index).onReadDone(good);
                sendQueue.pump();
            }
            case WorkRequestId.RESPONSE -> {
                checkSend(good, completion);
                if (good) {
                    dispatcher.context(index).report().onAcknowledged();
                }
                free(dispatcher.context(index));
                sendQueue.pump();
            }
            case WorkRequestId.DRAIN -> life.onDrained();
            case WorkRequestId.LOGOUT -> life.onLogoutSent();
            default -> {
                checkSend(good, completion);
                sendQueue.pump();
                requests.send();
            }
        }
    }

    private void onReceive(int slot, boolean good, WorkCompletion completion) {
        receives.received(slot);
        if (good && life.isOpen()) {
            dispatcher.onUnit(slot, completion.byteLength());
            return;
        }
        receives.giveBack(slot);
        if (!good) {
            fail(completion);
        }
    }

    private void checkSend(boolean good, WorkCompletion completion) {
        if (!good) {
            fail(completion);
        }
    }

    private void fail(WorkCompletion completion) {
        if (life.isOpen()) {
            end(
                    ChannelEnd.TRANSPORT_ERROR,
                    "work " + Long.toHexString(completion.wrId()) + " ended with " + completion.status()
                            + ", vendor error " + completion.vendorError());
        }
    }

    @Override
    public void onQueuePairEvent(QueuePair pair, Event event) {
        port.events().onQueuePairEvent(info(), event);
        if (event == Event.FATAL) {
            end(ChannelEnd.TRANSPORT_ERROR, "the queue pair went to the error state");
        }
    }

    // What contexts and the dispatcher ask for.

    /** A context is through. */
    void free(CommandContext context) {
        dispatcher.free(context);
        port.taskManager().onContextFree();
        if (life.isLive()) {
            dispatcher.runWaiting();
            requests.send();
        } else {
            life.onContextFree();
        }
    }

    /** The function in the receive buffer {@code slot} is about to be answered with {@code code}. */
    void onManagementAnswered(int slot, int code) {
        TaskManagementRequest request = new TaskManagementRequest().wrap(receives.buffer(), receives.unitOffset(slot));
        port.events().onTaskManagement(info(), request.function(), request.lun(), request.taskTag(), code);
    }

    boolean isLive() {
        return life.isLive();
    }

    ChannelState state() {
        return life.state();
    }

    ChannelInfo info() {
        return new ChannelInfo(
                terms.id(),
                port.name(),
                terms.initiator().port(),
                terms.initiator().address(),
                admission == null ? "" : admission.rule(),
                queues.queuePair().number(),
                life.state(),
                terms.immediateOffset() != CommandValidator.NO_IMMEDIATE_DATA,
                terms.maxResponseLength(),
                channelCounters);
    }

    long id() {
        return terms.id();
    }

    AccessControl.Initiator initiator() {
        return terms.initiator();
    }

    /** Why it was let in. */
    Admission admission() {
        return Objects.requireNonNull(admission);
    }

    PortId initiatorPort() {
        return terms.initiator().port();
    }

    ChannelCounters channelCounters() {
        return channelCounters;
    }

    /** The loop's clock. */
    long nanoTime() {
        return port.rdmaPort().loop().nanoTime();
    }

    /** As of when the loop began with what it does now. */
    long turnNanoTime() {
        return port.rdmaPort().loop().turnNanoTime();
    }

    ChannelLimits limits() {
        return limits;
    }

    ChannelQueues queues() {
        return queues;
    }

    ReceiveRing receives() {
        return receives;
    }

    Credits credits() {
        return credits;
    }

    ResponseBuffers responses() {
        return responses;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    TargetRequests requests() {
        return requests;
    }

    UnitDispatcher dispatcher() {
        return dispatcher;
    }

    io.srpt.scsi.Nexus scsiNexus() {
        return nexus().scsi();
    }

    Nexus nexus() {
        return Objects.requireNonNull(nexus);
    }

    boolean isOf(Nexus other) {
        return nexus == other;
    }

    int immediateOffset() {
        return terms.immediateOffset();
    }

    @Override
    public String toString() {
        return "channel " + terms.id() + " of " + terms.initiator().port();
    }
}
