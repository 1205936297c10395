package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadService;
import io.srpt.mad.ReceivedMad;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of one port, in software over its management datagrams. The states of a connection: {@link
 * CmState}.
 *
 * <p>{@link #connect} moves the queue pair to INIT before it returns, so that receives can be posted right after it.
 * A connection ends with exactly one of onDisconnected, onRejected and onUnreachable, also when the consumer ended it
 * itself before it was established.
 *
 * <p>The provider calls {@link #communicationEstablished} when the first packet comes to a queue pair, which stands for
 * an RTU that was lost.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class RoceConnectionManager implements ConnectionManager, AutoCloseable {
    private final CmContext context;
    private final CmCounters counters = new CmCounters();
    private final MadAgent agent;
    private final Map<Long, ConnectionRequestHandler> listeners = new HashMap<>();
    private final MadHeader header = new MadHeader();
    private final ReqMessage req = new ReqMessage();
    private final MraMessage mra = new MraMessage();
    private final RejMessage rej = new RejMessage();
    private final RepMessage rep = new RepMessage();
    private final RtuMessage rtu = new RtuMessage();
    private final DreqMessage dreq = new DreqMessage();

    /**
     * With communication ids, PSNs and ports from {@code random}: one that peers cannot guess and that never blocks; a seeded
     * one repeats a simulation.
     */
    public RoceConnectionManager(
            RdmaPort port, MadService mads, QueuePairNumbers numbers, CmSettings settings, RandomGenerator random)
            throws VerbsException {
        agent = mads.register(
                MadHeader.CLASS_COMMUNICATION_MANAGEMENT,
                CmWire.CLASS_VERSION,
                (ignored, mad) -> onMad(mad),
                MadHeader.METHOD_SEND);
        context = new CmContext(
                port,
                port.loop(),
                settings,
                new CmWire(agent, counters),
                counters,
                new ConnectionTable(counters, settings.maxTimeWait(), random),
                numbers,
                random);
    }

    /** Any thread. */
    public CmCounters counters() {
        return counters;
    }

    @Override
    public Listener listen(long serviceId, ConnectionRequestHandler handler) throws VerbsException {
        assert context.loop().inEventLoop();
        if (listeners.putIfAbsent(serviceId, handler) != null) {
            throw new VerbsException("Service id 0x" + Long.toHexString(serviceId) + " is taken");
        }
        return () -> listeners.remove(serviceId, handler);
    }

    @Override
    public Connection connect(ConnectParameters parameters, QueuePair queuePair, ConnectionHandler handler)
            throws VerbsException {
        assert context.loop().inEventLoop();
        List<Gid> gids = context.port().gids();
        if (parameters.sourceGidIndex() < 0 || parameters.sourceGidIndex() >= gids.size()) {
            throw new VerbsException("The port has no GID with index " + parameters.sourceGidIndex());
        }
        Gid localGid = gids.get(parameters.sourceGidIndex());
        if (localGid.isZero()) {
            throw new VerbsException("The address with index " + parameters.sourceGidIndex() + " is not there now");
        }
        if (!Gids.isUnicast(parameters.destination()) || !Gids.areOfOneFamily(localGid, parameters.destination())) {
            throw new VerbsException("No path from " + localGid + " to " + parameters.destination());
        }
        int room = ReqMessage.PRIVATE_DATA_LENGTH;
        if (ConnectionManager.isRdmaCmServiceId(parameters.serviceId())) {
            room -= RdmaCmPrivateData.LENGTH;
        }
        if (parameters.privateData().length > room) {
            throw new VerbsException(
                    "REQ takes " + room + " bytes of private data, not " + parameters.privateData().length);
        }
        ActiveConnection.prepare(queuePair);
        ActiveConnection connection = new ActiveConnection(context, parameters, localGid, queuePair, handler);
        connection.sendReq();
        return connection;
    }

    /** The first packet came to a queue pair whose connection may still wait for RTU. Other numbers are ignored. */
    public void communicationEstablished(int queuePairNumber) {
        assert context.loop().inEventLoop();
        if (context.table().byQueuePair(queuePairNumber) instanceof PassiveConnection connection) {
            connection.onCommunicationEstablished();
        }
    }

    /**
     * Ends: requests that wait are rejected, connections get one DREQ or REJ each and no further callback, and nothing is
     * repeated. To wait for the peers' answers, disconnect the connections before.
     */
    @Override
    public void close() {
        assert context.loop().inEventLoop();
        listeners.clear();
        for (PendingRequest request : context.table().requests()) {
            request.reject(RejectReason.CONSUMER, new byte[0]);
        }
        for (CmConnection connection : context.table().connections()) {
            connection.close();
            connection.shutDown();
        }
        agent.close();
    }

    private void onMad(ReceivedMad mad) {
        try {
            ByteBuffer buffer = mad.buffer().buffer();
            header.wrap(buffer, MadBuffer.MAD_OFFSET);
            CmMessageType type = CmMessageType.of(header.attributeId());
            if (type == null) {
                counters.unsupported.increment();
                return;
            }
            counters.received(type).increment();
            onMessage(type, buffer, MadBuffer.MAD_OFFSET + MadHeader.LENGTH, header.transactionId(), mad.source());
        } finally {
            mad.release();
        }
    }

    private void onMessage(CmMessageType type, ByteBuffer buffer, int offset, long transactionId, MadAddress from) {
        switch (type) {
            case REQ -> onReq(req.wrap(buffer, offset), new ReqSource(from, transactionId));
            case MRA -> onMra(mra.wrap(buffer, offset));
            case REJ -> onRej(rej.wrap(buffer, offset), from);
            case REP -> onRep(rep.wrap(buffer, offset), transactionId, from);
            case RTU -> onRtu(rtu.wrap(buffer, offset));
            case DREQ -> onDreq(dreq.wrap(buffer, offset), transactionId, from);
            case DREP -> onDrep(rtu.wrap(buffer, offset));
        }
    }

    private void onReq(ReqMessage message, ReqSource from) {
        long guid = message.localCaGuid();
        int remoteId = message.localCommunicationId();
        PendingRequest pending = context.table().request(guid, remoteId);
        if (pending != null) {
            pending.onDuplicateReq();
        } else if (context.table().byRemoteId(guid, remoteId) instanceof PassiveConnection known) {
            known.onDuplicateReq(from);
        } else if (!refuseStale(message, from)) {
            admit(message, from);
        }
    }

    /** Refuses a REQ with a queue pair that belongs to something we still know under another id. */
    private boolean refuseStale(ReqMessage message, ReqSource from) {
        long guid = message.localCaGuid();
        int queuePair = message.localQueuePair();
        CmConnection old = context.table().byRemoteQueuePair(guid, queuePair);
        boolean stale = old != null || context.table().hasRequestOf(guid, queuePair);
        if (stale) {
            refuse(message, from, ReqCheck.Refusal.of(RejectReason.STALE_CONNECTION));
        }
        if (old != null) {
            old.onStale();
        }
        return stale;
    }

    private void admit(ReqMessage message, ReqSource from) {
        ConnectionRequestHandler consumer = listeners.get(message.serviceId());
        ReqCheck.Refusal refusal;
        if (consumer == null) {
            refusal = ReqCheck.Refusal.of(RejectReason.INVALID_SERVICE_ID);
        } else if (counters.halfOpen.get() >= context.settings().maxHalfOpen()) {
            refusal = ReqCheck.Refusal.of(RejectReason.NO_RESOURCES);
        } else {
            refusal = ReqCheck.check(message, from.address().gid(), context.port());
        }
        if (refusal != null || consumer == null) {
            refuse(message, from, refusal);
            return;
        }
        ReceivedReq received = ReceivedReq.read(
                message,
                from.address(),
                from.transactionId(),
                context.port().gids().indexOf(message.primaryRemoteGid()),
                ConnectionManager.isRdmaCmServiceId(message.serviceId()));
        PendingRequest request = new PendingRequest(context, received);
        if (!context.guarded(() -> consumer.onConnectionRequest(request))) {
            request.reject(RejectReason.NO_RESOURCES, new byte[0]);
        }
    }

    private void refuse(ReqMessage message, ReqSource from, ReqCheck.@Nullable Refusal refusal) {
        if (refusal == null) {
            return;
        }
        context.wire()
                .reject(
                        from.address(),
                        from.transactionId(),
                        0,
                        message.localCommunicationId(),
                        CmMessage.MESSAGE_REQ,
                        refusal.reason(),
                        refusal.info(),
                        new byte[0]);
    }

    private void onMra(MraMessage message) {
        CmConnection connection = context.table().byLocalId(message.remoteCommunicationId());
        if (connection == null) {
            counters.unknownIds.increment();
        } else {
            connection.onMra(message.message(), message.serviceTimeout());
        }
    }

    private void onRej(RejMessage message, MadAddress from) {
        RejectReason reason = RejectReason.of(message.reason());
        counters.rejectsReceived(reason).increment();
        CmConnection connection = context.table().byLocalId(message.remoteCommunicationId());
        if (connection == null && message.remoteCommunicationId() == 0) {
            connection = byRejectedId(message);
        }
        // A REQ that is refused straight away is refused with local id 0; later the id must be the peer's.
        if (connection != null
                && (connection.remoteId() == 0 || connection.remoteId() == message.localCommunicationId())) {
            connection.onRej(reason, message.getBytes(RejMessage.PRIVATE_DATA_OFFSET, RejMessage.PRIVATE_DATA_LENGTH));
            return;
        }
        for (PendingRequest request : context.table().requests()) {
            if (request.isFrom(from, message.localCommunicationId())) {
                request.onRej();
                return;
            }
        }
        counters.unknownIds.increment();
    }

    /** A peer that gives up before it knows our id names itself by its GUID in REJ 4. */
    private @Nullable CmConnection byRejectedId(RejMessage message) {
        if (message.reason() != RejectReason.TIMEOUT.code() || message.infoLength() < Long.BYTES) {
            return null;
        }
        long guid = message.getLong(RejMessage.INFO_OFFSET);
        return context.table().byRemoteId(guid, message.localCommunicationId());
    }

    private void onRep(RepMessage message, long transactionId, MadAddress from) {
        if (context.table().byLocalId(message.remoteCommunicationId()) instanceof ActiveConnection connection) {
            connection.onRep(message, from);
            return;
        }
        counters.unknownIds.increment();
        context.wire()
                .reject(
                        from,
                        transactionId,
                        message.remoteCommunicationId(),
                        message.localCommunicationId(),
                        CmMessage.MESSAGE_REP,
                        RejectReason.INVALID_COMMUNICATION_ID,
                        new byte[0],
                        new byte[0]);
    }

    private void onRtu(RtuMessage message) {
        CmConnection connection =
                context.table().byIds(message.remoteCommunicationId(), message.localCommunicationId());
        if (connection instanceof PassiveConnection passive) {
            passive.onRtu();
        } else {
            counters.unknownIds.increment();
        }
    }

    private void onDreq(DreqMessage message, long transactionId, MadAddress from) {
        int localId = message.remoteCommunicationId();
        int remoteId = message.localCommunicationId();
        CmConnection connection = context.table().byIds(localId, remoteId);
        if (connection == null) {
            counters.unknownIds.increment();
            context.wire().disconnectReply(from, transactionId, localId, remoteId);
        } else {
            connection.onDreq(transactionId, from, message.remoteQueuePair());
        }
    }

    private void onDrep(RtuMessage message) {
        CmConnection connection =
                context.table().byIds(message.remoteCommunicationId(), message.localCommunicationId());
        if (connection == null) {
            counters.unknownIds.increment();
        } else {
            connection.onDrep();
        }
    }
}
