package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadHeader;
import io.srpt.time.Deadline;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.RejectReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection from REP (passive) or REQ (active) until TimeWait is over; what both sides have in common. States and
 * events: {@link CmState}. The consumer gets exactly one end, onDisconnected, onRejected or onUnreachable.
 *
 * <p>Threads: the port's loop.
 */
abstract class CmConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(CmConnection.class);
    private static final byte[] NOTHING = {};

    /** Who is told after {@link #close()}. */
    private static final ConnectionHandler NOBODY = new ConnectionHandler() {
        @Override
        public void onEstablished(Connection connection, byte[] privateData) {}

        @Override
        public void onDisconnected(Connection connection) {}

        @Override
        public void onRejected(Connection connection, RejectReason reason, byte[] privateData) {}

        @Override
        public void onUnreachable(Connection connection) {}
    };

    final CmContext context;
    final PeerPath path;
    final int localId;
    private final QueuePair queuePair;
    private final int queuePairNumber;
    private final DreqMessage dreq = new DreqMessage();

    private final Deadline timer = new Deadline() {
        @Override
        protected void onDeadline() {
            onTimer();
        }
    };

    private ConnectionHandler handler;
    private CmState state;
    private boolean ended;
    private boolean failed;

    /** The message that the timer repeats, and its type. */
    private byte[] repeated = NOTHING;

    private CmMessageType repeatedType = CmMessageType.REQ;
    private int retriesLeft;
    private int extensionsLeft;

    CmConnection(
            CmContext context,
            PeerPath path,
            int localId,
            QueuePair queuePair,
            ConnectionHandler handler,
            CmState initial) {
        this.context = context;
        this.path = path;
        this.localId = localId;
        this.queuePair = queuePair;
        this.handler = handler;
        queuePairNumber = queuePair.number();
        state = initial;
        extensionsLeft = context.settings().maxRetries();
    }

    /** The peer's communication id; 0 while the active side does not know it. */
    abstract int remoteId();

    /** The peer's queue pair; 0 while the active side does not know it. */
    abstract int remoteQueuePair();

    /** The peer's node; 0 while the active side does not know it. */
    abstract long remoteGuid();

    /** REJ before it was established. */
    abstract void onRejectedEarly(RejectReason reason, byte[] privateData);

    /** The repetitions of the first message are used up. */
    abstract void onUnanswered();

    /** The consumer gives up before it was established: tell the peer. */
    abstract void abandon();

    /** Takes the connection on from the state before it was established, if an event implies it. */
    void onImpliedReady() {}

    @Override
    public final QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public final Gid localGid() {
        return path.localGid();
    }

    @Override
    public final Gid remoteGid() {
        return path.remoteGid();
    }

    @Override
    public final boolean isEstablished() {
        return state == CmState.ESTABLISHED;
    }

    final CmState state() {
        return state;
    }

    final int queuePairNumber() {
        return queuePairNumber;
    }

    @Override
    public final void disconnect() {
        assert context.loop().inEventLoop();
        switch (state) {
            case ESTABLISHED -> sendDreq();
            case REQ_SENT, REP_SENT -> {
                failQueuePair();
                abandon();
                context.loop().execute(this::endDisconnected);
            }
            default -> {
                // It is over, or ending, already.
            }
        }
    }

    @Override
    public final void close() {
        assert context.loop().inEventLoop();
        handler = NOBODY;
        disconnect();
    }

    /** Forgets everything, without a word: its manager closes. */
    final void shutDown() {
        if (state != CmState.CLOSED) {
            closeNow("manager closes");
        }
    }

    final void onDreq(long transactionId, MadAddress from, int namedQueuePair) {
        if (namedQueuePair != queuePairNumber) {
            context.counters().wrongQueuePair.increment();
            return;
        }
        onImpliedReady();
        switch (state) {
            case ESTABLISHED -> {
                transition(CmState.DREQ_RECEIVED, "DREQ");
                failQueuePair();
                endDisconnected();
                answerDreq(transactionId, from);
                enterTimeWait("DREP sent");
            }
            case DREQ_SENT -> {
                endDisconnected();
                answerDreq(transactionId, from);
                enterTimeWait("DREQ crossed ours");
            }
            case TIME_WAIT -> {
                context.counters().duplicates(CmMessageType.DREQ).increment();
                answerDreq(transactionId, from);
            }
            default -> context.counters().duplicates(CmMessageType.DREQ).increment();
        }
    }

    final void onDrep() {
        if (state == CmState.DREQ_SENT) {
            endDisconnected();
            enterTimeWait("DREP");
        } else {
            context.counters().duplicates(CmMessageType.DREP).increment();
        }
    }

    final void onRej(RejectReason reason, byte[] privateData) {
        switch (state) {
            case REQ_SENT, REP_SENT -> {
                failQueuePair();
                onRejectedEarly(reason, privateData);
            }
            case ESTABLISHED, DREQ_SENT -> {
                failQueuePair();
                enterTimeWait("REJ");
                endDisconnected();
            }
            default -> context.counters().duplicates(CmMessageType.REJ).increment();
        }
    }

    /** MRA for the message that the timer repeats: the peer needs the time that it tells. */
    final void onMra(int message, int serviceTimeout) {
        boolean mine = state == CmState.REQ_SENT && message == CmMessage.MESSAGE_REQ
                || state == CmState.REP_SENT && message == CmMessage.MESSAGE_REP;
        if (!mine || extensionsLeft == 0) {
            context.counters().duplicates(CmMessageType.MRA).increment();
            return;
        }
        extensionsLeft--;
        long wait = CmTimes.serviceNanos(serviceTimeout) + path.repeatNanos();
        context.loop().schedule(timer, context.loop().nanoTime() + wait);
    }

    /** A REQ came with this connection's queue pair, but another id: its peer has forgotten it. */
    final void onStale() {
        disconnect();
    }

    /** TimeWait is over, or cut short for want of room. */
    final void leaveTimeWait(String event) {
        context.loop().cancel(timer);
        closeNow(event);
        context.guarded(() -> handler.onTimeWaitExit(this));
    }

    /** Sends {@code image} now and again until {@link #stopRepeating()} or the retries are used up. */
    final void repeat(CmMessageType type, byte[] image) {
        repeated = image;
        repeatedType = type;
        retriesLeft = path.maxRetries();
        context.wire().send(type, image, path.peer());
        context.loop().schedule(timer, context.loop().nanoTime() + path.repeatNanos());
    }

    final void establish(String event, byte[] privateData) {
        stopRepeating();
        transition(CmState.ESTABLISHED, event);
        context.counters().established.increment();
        context.guarded(() -> handler.onEstablished(this, privateData));
    }

    final void endRejected(RejectReason reason, byte[] privateData) {
        if (!ended) {
            ended = true;
            context.guarded(() -> handler.onRejected(this, reason, privateData));
        }
    }

    final void endUnreachable() {
        if (!ended) {
            ended = true;
            context.guarded(() -> handler.onUnreachable(this));
        }
    }

    final void endDisconnected() {
        if (!ended) {
            ended = true;
            context.guarded(() -> handler.onDisconnected(this));
        }
    }

    final void enterTimeWait(String event) {
        stopRepeating();
        transition(CmState.TIME_WAIT, event);
        context.loop().schedule(timer, context.loop().nanoTime() + path.timeWaitNanos());
        context.table().enterTimeWait(this);
    }

    /** Forgets the connection without TimeWait: the peer has never had our queue pair in use. */
    final void closeNow(String event) {
        stopRepeating();
        transition(CmState.CLOSED, event);
        context.table().remove(this);
        context.numbers().release(queuePairNumber);
    }

    /** Moves the queue pair to ERR, once: the consumer may have closed it when we come again. */
    final void failQueuePair() {
        if (!failed) {
            failed = true;
            queuePair.modifyToError();
        }
    }

    private void sendDreq() {
        transition(CmState.DREQ_SENT, "disconnect");
        failQueuePair();
        dreq.wrap(context.wire().begin(CmMessageType.DREQ, context.wire().nextTransactionId()), MadHeader.LENGTH)
                .localCommunicationId(localId)
                .remoteCommunicationId(remoteId())
                .remoteQueuePair(remoteQueuePair());
        repeat(CmMessageType.DREQ, context.wire().image());
    }

    private void answerDreq(long transactionId, MadAddress from) {
        context.wire().disconnectReply(from, transactionId, localId, remoteId());
    }

    private void onTimer() {
        if (state == CmState.TIME_WAIT) {
            leaveTimeWait("TimeWait over");
        } else if (retriesLeft > 0) {
            retriesLeft--;
            context.counters().retries(repeatedType).increment();
            context.wire().send(repeatedType, repeated, path.peer());
            context.loop().schedule(timer, context.loop().nanoTime() + path.repeatNanos());
        } else if (state == CmState.DREQ_SENT) {
            endDisconnected();
            enterTimeWait("no DREP");
        } else {
            failQueuePair();
            onUnanswered();
        }
    }

    private void stopRepeating() {
        context.loop().cancel(timer);
        repeated = NOTHING;
    }

    private void transition(CmState next, String event) {
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "Connection 0x{} of queue pair {} with {}: {} -> {} ({})",
                    Integer.toHexString(localId),
                    queuePairNumber,
                    path.remoteGid(),
                    state,
                    next,
                    event);
        }
        if (state == CmState.REP_SENT) {
            context.counters().halfOpen.decrement();
        } else if (state == CmState.ESTABLISHED) {
            context.counters().established.decrement();
        }
        state = next;
    }
}
