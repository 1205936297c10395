package io.srpt.roce.cm;

import io.srpt.mad.MadHeader;
import io.srpt.verbs.Access;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;

/** The accepting side of a connection, from REP on. States and events: {@link CmState}. */
final class PassiveConnection extends CmConnection {
    private static final int NO_RNR_LIMIT = 7;
    private static final byte[] NOTHING = {};

    private final ReceivedReq req;
    private final int startingPsn;
    private final int maxInboundReads;
    private final int maxOutboundReads;
    private final RepMessage rep = new RepMessage();

    private PassiveConnection(
            CmContext context,
            ReceivedReq req,
            int localId,
            QueuePair queuePair,
            int maxInboundReads,
            int maxOutboundReads,
            ConnectionHandler handler) {
        super(context, req.peerPath(), localId, queuePair, handler, CmState.REP_SENT);
        this.req = req;
        this.maxInboundReads = maxInboundReads;
        this.maxOutboundReads = maxOutboundReads;
        startingPsn = context.randomPsn();
    }

    /** Moves {@code queuePair} to RTS. What fails leaves it where it was then; {@link #sendRep} goes on. */
    static PassiveConnection create(
            CmContext context,
            ReceivedReq req,
            int localId,
            QueuePair queuePair,
            int responderResources,
            int initiatorDepth,
            Runnable beforeReply,
            ConnectionHandler handler)
            throws VerbsException {
        int inbound = Math.clamp(responderResources, 0, context.maxReads());
        int outbound = Math.clamp(initiatorDepth, 0, Math.min(req.responderResources(), context.maxReads()));
        PassiveConnection connection =
                new PassiveConnection(context, req, localId, queuePair, inbound, outbound, handler);
        connection.moveQueuePair(beforeReply);
        return connection;
    }

    /** Sends REP and repeats it until it is answered. */
    void sendRep(byte[] privateData) {
        context.table().addPassive(this);
        context.numbers().hold(queuePairNumber());
        rep.wrap(context.wire().begin(CmMessageType.REP, req.transactionId()), MadHeader.LENGTH)
                .localCommunicationId(localId)
                .remoteCommunicationId(req.communicationId())
                .localQueuePair(queuePairNumber())
                .startingPsn(startingPsn)
                .responderResources(maxInboundReads)
                .initiatorDepth(maxOutboundReads)
                .targetAckDelay(context.port().device().attributes().localAckDelay())
                .endToEndFlowControl(true)
                .rnrRetryCount(NO_RNR_LIMIT)
                // RDMA/CM peers expect 0 of a queue pair with receives of its own; IB/CM ones get 1, as from Linux.
                .sharedReceiveQueue(!req.rdmaCm())
                .localCaGuid(context.nodeGuid())
                .putBytes(RepMessage.PRIVATE_DATA_OFFSET, privateData);
        repeat(CmMessageType.REP, context.wire().image());
    }

    @Override
    int remoteId() {
        return req.communicationId();
    }

    @Override
    int remoteQueuePair() {
        return req.queuePair();
    }

    @Override
    long remoteGuid() {
        return req.caGuid();
    }

    void onRtu() {
        if (state() == CmState.REP_SENT) {
            establish("RTU", NOTHING);
        } else {
            context.counters().duplicates(CmMessageType.RTU).increment();
        }
    }

    /** The peer sent a packet, so it has REP. */
    void onCommunicationEstablished() {
        if (state() == CmState.REP_SENT) {
            establish("first packet", NOTHING);
        }
    }

    @Override
    void onImpliedReady() {
        if (state() == CmState.REP_SENT) {
            establish("DREQ", NOTHING);
        }
    }

    /** The same REQ again: the timer repeats REP, and in TimeWait the peer must take new numbers. */
    void onDuplicateReq(ReqSource from) {
        context.counters().duplicates(CmMessageType.REQ).increment();
        if (state() == CmState.TIME_WAIT) {
            context.wire().rejectReq(from.address(), from.transactionId(), remoteId(), RejectReason.STALE_CONNECTION);
        }
    }

    @Override
    void onRejectedEarly(RejectReason reason, byte[] privateData) {
        enterTimeWait("REJ");
        endRejected(reason, privateData);
    }

    @Override
    void onUnanswered() {
        context.wire().rejectTimeout(path.peer(), req.transactionId(), localId, remoteId(), context.nodeGuid());
        enterTimeWait("no RTU");
        endUnreachable();
    }

    @Override
    void abandon() {
        context.wire()
                .reject(
                        path.peer(),
                        req.transactionId(),
                        localId,
                        remoteId(),
                        CmMessage.MESSAGE_OTHER,
                        RejectReason.CONSUMER,
                        NOTHING,
                        NOTHING);
        enterTimeWait("disconnect");
    }

    private void moveQueuePair(Runnable beforeReply) throws VerbsException {
        QueuePair queuePair = queuePair();
        // The peer gets no right on our memory: SRP targets are never read from or written to.
        queuePair.modifyToInit(QueuePair.InitAttributes.connected(Access.LOCAL_WRITE));
        beforeReply.run();
        queuePair.modifyToRtr(new QueuePair.RtrAttributes(
                req.path(),
                req.pathMtu(),
                req.queuePair(),
                startingPsn,
                maxInboundReads,
                context.settings().minRnrTimer()));
        queuePair.modifyToRts(new QueuePair.RtsAttributes(
                req.startingPsn(), req.ackTimeout(), req.retryCount(), req.rnrRetryCount(), maxOutboundReads));
    }
}
