package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.time.Deadline;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A REQ until the consumer accepts or rejects it: the passive side in REQ_RECEIVED and MRA_SENT, see {@link CmState}.
 *
 * <p>A consumer that takes longer than 65 s loses the request: REJ 4 goes out and accept fails.
 *
 * <p>Threads: the port's loop.
 */
final class PendingRequest implements ConnectionRequest {
    private static final Logger LOG = LoggerFactory.getLogger(PendingRequest.class);
    private static final byte[] NOTHING = {};

    private final CmContext context;
    private final ReceivedReq req;
    private final int localId;

    private final Deadline timer = new Deadline() {
        @Override
        protected void onDeadline() {
            onConsumerTooSlow();
        }
    };

    private CmState state = CmState.REQ_RECEIVED;

    PendingRequest(CmContext context, ReceivedReq req) {
        this.context = context;
        this.req = req;
        localId = context.table().newLocalId();
        context.table().add(this);
        context.counters().halfOpen.increment();
        long patience = CmTimes.serviceNanos(CmTimes.MAX_SERVICE_EXPONENT);
        context.loop().schedule(timer, context.loop().nanoTime() + patience);
    }

    ConnectionTable.RemoteId remoteId() {
        return new ConnectionTable.RemoteId(req.caGuid(), req.communicationId());
    }

    /** Whether it came from this peer with this communication id. */
    boolean isFrom(MadAddress source, int communicationId) {
        return req.communicationId() == communicationId && req.source().gid().equals(source.gid());
    }

    boolean hasRemoteQueuePair(long guid, int number) {
        return req.caGuid() == guid && req.queuePair() == number;
    }

    /** The peer repeats its REQ: it wants to know that we are at work. */
    void onDuplicateReq() {
        context.counters().duplicates(CmMessageType.REQ).increment();
        transition(CmState.MRA_SENT, "the same REQ");
        context.wire().acknowledgeReq(req.source(), req.transactionId(), localId, req.communicationId());
    }

    /** The peer gave up. */
    void onRej() {
        end("REJ");
        context.counters().halfOpen.decrement();
    }

    @Override
    public RdmaPort port() {
        return context.port();
    }

    @Override
    public long serviceId() {
        return req.serviceId();
    }

    @Override
    public boolean isRdmaCm() {
        return req.rdmaCm();
    }

    @Override
    public Gid localGid() {
        return req.localGid();
    }

    @Override
    public Gid remoteGid() {
        return req.remoteGid();
    }

    @Override
    public InetAddress remoteAddress() {
        return req.remoteAddress().toInetAddress();
    }

    @Override
    public long remoteNodeGuid() {
        return req.caGuid();
    }

    @Override
    public int remoteQueuePair() {
        return req.queuePair();
    }

    @Override
    public int pkey() {
        return req.pkey();
    }

    @Override
    public byte[] privateData() {
        return req.consumerData();
    }

    @Override
    public int responderResources() {
        return req.responderResources();
    }

    @Override
    public int initiatorDepth() {
        return req.initiatorDepth();
    }

    /** After a failure the request still waits: the consumer may try again or reject. */
    @Override
    public Connection accept(
            QueuePair queuePair,
            int responderResources,
            int initiatorDepth,
            byte[] privateData,
            Runnable beforeReply,
            ConnectionHandler handler)
            throws VerbsException {
        assert context.loop().inEventLoop();
        if (state == CmState.CLOSED) {
            throw new VerbsException("The connection request of " + req.remoteGid() + " is over");
        }
        if (privateData.length > RepMessage.PRIVATE_DATA_LENGTH) {
            throw new VerbsException("REP takes " + RepMessage.PRIVATE_DATA_LENGTH + " bytes of private data, not "
                    + privateData.length);
        }
        PassiveConnection connection = PassiveConnection.create(
                context, req, localId, queuePair, responderResources, initiatorDepth, beforeReply, handler);
        end("accept");
        connection.sendRep(privateData);
        return connection;
    }

    @Override
    public void reject(RejectReason reason, byte[] privateData) {
        assert context.loop().inEventLoop();
        if (state == CmState.CLOSED) {
            return;
        }
        byte[] data = privateData.length <= RejMessage.PRIVATE_DATA_LENGTH ? privateData : NOTHING;
        context.wire()
                .reject(
                        req.source(),
                        req.transactionId(),
                        state == CmState.MRA_SENT ? localId : 0,
                        req.communicationId(),
                        CmMessage.MESSAGE_REQ,
                        reason,
                        NOTHING,
                        data);
        end("reject");
        context.counters().halfOpen.decrement();
    }

    private void onConsumerTooSlow() {
        context.wire()
                .rejectTimeout(req.source(), req.transactionId(), localId, req.communicationId(), context.nodeGuid());
        end("consumer too slow");
        context.counters().halfOpen.decrement();
    }

    private void end(String event) {
        context.loop().cancel(timer);
        context.table().remove(this);
        transition(CmState.CLOSED, event);
    }

    private void transition(CmState next, String event) {
        LOG.debug("Request {} of {}: {} -> {} ({})", localId, req.remoteGid(), state, next, event);
        state = next;
    }
}
