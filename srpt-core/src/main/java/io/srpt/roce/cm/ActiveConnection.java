package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadHeader;
import io.srpt.verbs.Access;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.ConnectionManager.ConnectParameters;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The asking side of a connection, from REQ on. States and events: {@link CmState}. */
final class ActiveConnection extends CmConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveConnection.class);
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final int PERMISSIVE_LID = 0xFFFF;
    private static final int HOP_LIMIT = 64;
    private static final int FLOW_LABEL_MASK = 0xF_FFFF;
    private static final int FIRST_EPHEMERAL_PORT = 32768;
    private static final int EPHEMERAL_PORTS = 28232;
    private static final byte[] NOTHING = {};

    private final ConnectParameters parameters;
    private final int pathMtu;
    private final int startingPsn;
    private final int sourcePort;
    private final int flowLabel;
    private final long transactionId;
    private final ReqMessage req = new ReqMessage();
    private int remoteId;
    private int remoteQueuePair;
    private long remoteGuid;

    ActiveConnection(
            CmContext context,
            ConnectParameters parameters,
            Gid localGid,
            QueuePair queuePair,
            ConnectionHandler handler) {
        super(
                context,
                new PeerPath(
                        MadAddress.generalServices(parameters.sourceGidIndex(), parameters.destination()),
                        localGid,
                        parameters.destination(),
                        CmTimes.repeatNanos(context.settings().responseTimeout()),
                        context.settings().maxRetries(),
                        CmTimes.repeatNanos(parameters.ackTimeout())),
                context.table().newLocalId(),
                queuePair,
                handler,
                CmState.REQ_SENT);
        this.parameters = parameters;
        pathMtu = Math.min(parameters.pathMtu(), context.port().activeMtu());
        startingPsn = context.randomPsn();
        sourcePort = FIRST_EPHEMERAL_PORT + context.random().nextInt(EPHEMERAL_PORTS);
        transactionId = context.wire().nextTransactionId();
        // The formula of Linux' RDMA/CM over IPv4; any other value would do as well.
        flowLabel = sourcePort * 31 + (int) (parameters.serviceId() & 0xFFFF) & FLOW_LABEL_MASK;
    }

    /** Sends REQ and repeats it until it is answered. */
    void sendReq() {
        context.table().addActive(this);
        context.numbers().hold(queuePairNumber());
        ByteBuffer buffer = context.wire().begin(CmMessageType.REQ, transactionId);
        req.wrap(buffer, MadHeader.LENGTH)
                .localCommunicationId(localId)
                .serviceId(parameters.serviceId())
                .localCaGuid(context.nodeGuid())
                .localQueuePair(queuePairNumber())
                .responderResources(parameters.responderResources())
                .initiatorDepth(parameters.initiatorDepth())
                .remoteResponseTimeout(context.settings().responseTimeout())
                .endToEndFlowControl(true)
                .startingPsn(startingPsn)
                .localResponseTimeout(context.settings().responseTimeout())
                .retryCount(parameters.retryCount())
                .pkey(DEFAULT_PKEY)
                .pathMtuCode(PathMtu.code(pathMtu))
                .rnrRetryCount(parameters.rnrRetryCount())
                .maxCmRetries(context.settings().maxRetries())
                .primaryLocalLid(PERMISSIVE_LID)
                .primaryRemoteLid(PERMISSIVE_LID)
                .primaryLocalGid(localGid())
                .primaryRemoteGid(remoteGid())
                .flowLabel(flowLabel)
                .hopLimit(HOP_LIMIT)
                .ackTimeout(parameters.ackTimeout());
        int data = ReqMessage.PRIVATE_DATA_OFFSET;
        if (ConnectionManager.isRdmaCmServiceId(parameters.serviceId())) {
            new RdmaCmPrivateData(sourcePort, localGid(), remoteGid()).write(buffer, MadHeader.LENGTH + data);
            data += RdmaCmPrivateData.LENGTH;
        }
        req.putBytes(data, parameters.privateData());
        repeat(CmMessageType.REQ, context.wire().image());
    }

    @Override
    int remoteId() {
        return remoteId;
    }

    @Override
    int remoteQueuePair() {
        return remoteQueuePair;
    }

    @Override
    long remoteGuid() {
        return remoteGuid;
    }

    void onRep(RepMessage rep, MadAddress from) {
        if (state() != CmState.REQ_SENT) {
            onDuplicateRep(rep, from);
            return;
        }
        CmConnection old = context.table().byRemoteQueuePair(rep.localCaGuid(), rep.localQueuePair());
        if (old != null) {
            refuseRep(rep, RejectReason.STALE_CONNECTION, "REP with a queue pair that is still known");
            old.onStale();
            return;
        }
        byte[] privateData = rep.getBytes(RepMessage.PRIVATE_DATA_OFFSET, RepMessage.PRIVATE_DATA_LENGTH);
        try {
            moveQueuePair(rep);
        } catch (VerbsException e) {
            LOG.warn("Queue pair {} cannot be connected", queuePairNumber(), e);
            refuseRep(rep, RejectReason.NO_QUEUE_PAIR, "queue pair not moved");
            return;
        }
        remoteId = rep.localCommunicationId();
        remoteQueuePair = rep.localQueuePair();
        remoteGuid = rep.localCaGuid();
        context.table().onPeerKnown(this);
        context.wire().ready(path.peer(), transactionId, localId, remoteId);
        establish("REP", privateData);
    }

    @Override
    void onRejectedEarly(RejectReason reason, byte[] privateData) {
        closeNow("REJ");
        endRejected(reason, privateData);
    }

    @Override
    void onUnanswered() {
        closeNow("no REP");
        endUnreachable();
    }

    @Override
    void abandon() {
        context.wire().rejectTimeout(path.peer(), transactionId, localId, 0, context.nodeGuid());
        closeNow("disconnect");
    }

    private void onDuplicateRep(RepMessage rep, MadAddress from) {
        context.counters().duplicates(CmMessageType.REP).increment();
        if (state() == CmState.ESTABLISHED && rep.localCommunicationId() == remoteId) {
            context.wire().ready(from, transactionId, localId, remoteId);
        }
    }

    private void refuseRep(RepMessage rep, RejectReason reason, String event) {
        failQueuePair();
        context.wire()
                .reject(
                        path.peer(),
                        transactionId,
                        localId,
                        rep.localCommunicationId(),
                        CmMessage.MESSAGE_REP,
                        reason,
                        NOTHING,
                        NOTHING);
        closeNow(event);
        endRejected(reason, NOTHING);
    }

    /** RESET to INIT; the peer may read and write what we give it keys for. */
    static void prepare(QueuePair queuePair) throws VerbsException {
        queuePair.modifyToInit(
                QueuePair.InitAttributes.connected(Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ));
    }

    private void moveQueuePair(RepMessage rep) throws VerbsException {
        QueuePair queuePair = queuePair();
        AddressVector vector = new AddressVector(parameters.sourceGidIndex(), remoteGid(), flowLabel, HOP_LIMIT, 0);
        queuePair.modifyToRtr(new QueuePair.RtrAttributes(
                vector,
                pathMtu,
                rep.localQueuePair(),
                startingPsn,
                Math.min(parameters.responderResources(), context.maxReads()),
                context.settings().minRnrTimer()));
        int maxReads = Math.min(rep.responderResources(), context.maxReads());
        queuePair.modifyToRts(new QueuePair.RtsAttributes(
                rep.startingPsn(),
                parameters.ackTimeout(),
                parameters.retryCount(),
                rep.rnrRetryCount(),
                Math.min(parameters.initiatorDepth(), maxReads)));
    }
}
