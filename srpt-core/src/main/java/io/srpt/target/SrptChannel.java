package io.srpt.target;

import io.srpt.srp.CommandValidator;
import io.srpt.srp.PortId;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One RC connection made by one login: its life ({@link ChannelState}), its completions, and what it owns.
 *
 * <pre>
 *   event                     CONNECTING    LIVE                    DISCONNECTING  DRAINING      DISCONNECTED
 *   established               LIVE
 *   end (logout, error, …)    DISCONNECTING, queue pair to ERR, DREQ or REJ; then close
 *   disconnected, rejected    DISCONNECTING, close
 *   close                                                           DRAINING, drain marker
 *   drain marker completed                                                         DISCONNECTED
 *   last context is free                                                                         release
 * </pre>
 *
 * <p>The end has one order: no unit is served any more, the wire is drained, the backend lets go, the channel leaves its nexus
 * and gives the connection back, then queue pair, completion queue and buffers are freed. It happens exactly once.
 *
 * <p>Threads: the port's loop.
 */
final class SrptChannel implements ConnectionHandler, CompletionListener, QueuePairEventListener {
    private static final Logger LOG = LoggerFactory.getLogger(SrptChannel.class);

    private final SrptPort port;
    private final TargetCounters counters;
    private final ChannelCounters channelCounters = new ChannelCounters();
    private final LoginTerms terms;
    private final ChannelBuffers buffers;
    private final CompletionQueue completionQueue;
    private final QueuePair queuePair;
    private final Credits credits;
    private final ResponseBuffers responses;
    private final SendQueue sendQueue;
    private final UnitDispatcher dispatcher;

    private ChannelState state = ChannelState.CONNECTING;
    private @Nullable Nexus nexus;
    private @Nullable Admission admission;
    private @Nullable Connection connection;
    private @Nullable ChannelEnd cause;
    private boolean creditRequestOutstanding;
    private boolean accepted;

    /** Makes the channel with its queue pair in RESET; all or nothing. */
    SrptChannel(SrptPort port, LoginTerms terms) throws VerbsException {
        this.port = port;
        this.counters = port.counters();
        this.terms = terms;
        ChannelLimits limits = port.limits();
        buffers = port.takeBuffers();
        try {
            completionQueue = port.rdmaPort()
                    .device()
                    .createCompletionQueue(port.rdmaPort().loop(), limits.completions(), this);
        } catch (VerbsException e) {
            port.giveBuffers(buffers);
            throw e;
        }
        try {
            queuePair = port.protectionDomain()
                    .createQueuePair(QueuePairInit.connected(
                            completionQueue, limits.sendSlots(), limits.receives(), limits.segments(), this));
        } catch (VerbsException e) {
            completionQueue.close();
            port.giveBuffers(buffers);
            throw e;
        }
        buffers.receives().reset(terms.immediateOffset());
        credits = new Credits(counters, channelCounters, limits.requestLimit());
        responses = new ResponseBuffers(buffers, counters, terms.maxResponseLength(), limits.contexts());
        sendQueue = new SendQueue(counters, channelCounters, queuePair, responses, limits.segments());
        dispatcher = new UnitDispatcher(port, this, buffers.receives());
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
        connection = request.accept(queuePair, 0, reads, loginResponse, this::postAllReceives, this);
        accepted = true;
    }

    private void postAllReceives() {
        for (int slot = 0; slot < buffers.receives().slots(); slot++) {
            repost(slot);
        }
    }

    /** Frees a channel that was never accepted. */
    void discard() {
        state = ChannelState.DISCONNECTED;
        free();
    }

    @Override
    public void onEstablished(Connection established, byte[] privateData) {
        tell(ConnectionEvent.ESTABLISHED);
        if (enter(ChannelState.LIVE)) {
            // Nothing is sent here: an initiator that uses RDMA/CM may not have posted its receives yet.
            dispatcher.runWaiting();
        }
    }

    // The end.

    @Override
    public void onDisconnected(Connection ended) {
        tell(ConnectionEvent.DISCONNECTED);
        over(ChannelEnd.PEER_DISCONNECTED);
    }

    @Override
    public void onRejected(Connection ended, RejectReason reason, byte[] privateData) {
        tell(ConnectionEvent.REJECTED);
        LOG.debug("{}: the initiator refused the reply: {}", this, reason);
        over(ChannelEnd.NOT_ESTABLISHED);
    }

    @Override
    public void onUnreachable(Connection ended) {
        tell(ConnectionEvent.UNREACHABLE);
        over(ChannelEnd.NOT_ESTABLISHED);
    }

    private void tell(ConnectionEvent event) {
        port.events().onConnectionEvent(info(), event);
    }

    private void over(ChannelEnd why) {
        if (enter(ChannelState.DISCONNECTING)) {
            cause = why;
            close();
        }
    }

    /** Ends the channel from our side; {@code detail} is for the log. Nothing happens if it is ending. */
    void end(ChannelEnd why, String detail) {
        if (!enter(ChannelState.DISCONNECTING)) {
            return;
        }
        cause = why;
        if (why == ChannelEnd.PROTOCOL_ERROR) {
            counters.protocolErrors.increment();
        } else if (why == ChannelEnd.TRANSPORT_ERROR) {
            counters.transportErrors.increment();
        }
        if (why.isError()) {
            port.events().onError(port.name(), this + ": " + detail);
        }
        LOG.debug("{} ends: {}, {}", this, why, detail);
        Connection current = connection;
        if (current != null) {
            current.disconnect();
        }
        close();
    }

    private void close() {
        if (!enter(ChannelState.DRAINING)) {
            return;
        }
        sendQueue.clear();
        queuePair.modifyToError();
        if (!sendQueue.postDrainMarker()) {
            // Not here: the caller may be in the middle of a completion of work that ends with the drain.
            port.rdmaPort().loop().execute(this::onDrained);
        }
    }

    private void onDrained() {
        if (enter(ChannelState.DISCONNECTED)) {
            port.taskManager().forget(this);
            dispatcher.onDrained();
            releaseIfIdle();
        }
    }

    private void releaseIfIdle() {
        if (state == ChannelState.DISCONNECTED && dispatcher.inUse() == 0 && accepted) {
            accepted = false;
            // Not here: the completion queue that is to be closed may be in the middle of a poll.
            port.rdmaPort().loop().execute(this::release);
        }
    }

    private void release() {
        free();
        port.onChannelReleased(this, cause == null ? ChannelEnd.NOT_ESTABLISHED : cause);
    }

    private void free() {
        Nexus joined = nexus;
        if (joined != null) {
            joined.leave(this);
        }
        Connection current = connection;
        if (current != null) {
            current.close();
        }
        queuePair.close();
        completionQueue.close();
        counters.receivesInUse.add(-buffers.receives().postedCount());
        port.giveBuffers(buffers);
        counters.channelsInUse.decrement();
        credits.end();
    }

    /** The only place where the state changes; false if it would not grow. */
    private boolean enter(ChannelState next) {
        assert port.rdmaPort().loop().inEventLoop();
        ChannelState before = state;
        if (next.compareTo(before) <= 0) {
            return false;
        }
        state = next;
        LOG.debug("{}: {} to {}", this, before, next);
        port.onChannelState(this, before);
        return true;
    }

    // Completions.

    @Override
    public void onCompletion(WorkCompletion completion) {
        if (state == ChannelState.DISCONNECTED) {
            return;
        }
        try {
            serve(completion);
        } catch (RuntimeException e) {
            onBug("a completion could not be served", e);
        }
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
            case WorkRequestId.DRAIN -> onDrained();
            default -> {
                checkSend(good, completion);
                sendQueue.pump();
                sendSavedCredits();
            }
        }
    }

    private void onReceive(int slot, boolean good, WorkCompletion completion) {
        buffers.receives().received(slot);
        counters.receivesInUse.decrement();
        if (!good) {
            fail(completion);
        } else if (state.compareTo(ChannelState.LIVE) <= 0) {
            dispatcher.onUnit(slot, completion.byteLength());
        }
    }

    private void checkSend(boolean good, WorkCompletion completion) {
        if (!good) {
            fail(completion);
        }
    }

    private void fail(WorkCompletion completion) {
        if (state.compareTo(ChannelState.LIVE) <= 0) {
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

    /** Posts a receive again; if the queue pair is gone, nothing is due. */
    void repost(int slot) {
        if (buffers.receives().post(queuePair, slot)) {
            counters.receivesInUse.increment();
        }
    }

    /** A context whose command gets no response: its receive and its credit go back in another way. */
    void endWithoutResponse(CommandContext context, int slot) {
        if (isLive()) {
            repost(slot);
            credits.save();
        }
        free(context);
    }

    /** A context is through. */
    void free(CommandContext context) {
        dispatcher.free(context);
        port.taskManager().onStoreReleased();
        if (isLive()) {
            dispatcher.runWaiting();
            sendSavedCredits();
        } else {
            releaseIfIdle();
        }
    }

    /** The function in the receive buffer {@code slot} is about to be answered with {@code code}. */
    void onManagementAnswered(int slot, int code) {
        TaskManagementRequest request = new TaskManagementRequest()
                .wrap(buffers.receives().buffer(), buffers.receives().unitOffset(slot));
        port.events().onTaskManagement(info(), request.function(), request.lun(), request.taskTag(), code);
    }

    void onTargetRequestAnswered() {
        creditRequestOutstanding = false;
        sendSavedCredits();
    }

    /** No response is under way that could carry saved credits: sends them on their own. One request at a time. */
    private void sendSavedCredits() {
        if (!isLive() || creditRequestOutstanding || credits.saved() == 0 || dispatcher.inUse() > 0) {
            return;
        }
        responses.creditRequest(terms.id(), credits.saved());
        if (sendQueue.postCreditRequest()) {
            credits.takeSaved();
            creditRequestOutstanding = true;
            counters.creditRequests.increment();
        }
    }

    boolean isLive() {
        return state == ChannelState.LIVE;
    }

    ChannelState state() {
        return state;
    }

    ChannelInfo info() {
        return new ChannelInfo(
                terms.id(),
                port.name(),
                terms.initiator().port(),
                terms.initiator().address(),
                admission == null ? "" : admission.rule(),
                queuePair.number(),
                state,
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

    Credits credits() {
        return credits;
    }

    ResponseBuffers responses() {
        return responses;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    UnitDispatcher dispatcher() {
        return dispatcher;
    }

    io.srpt.scsi.Nexus scsiNexus() {
        return Objects.requireNonNull(nexus).scsi();
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
