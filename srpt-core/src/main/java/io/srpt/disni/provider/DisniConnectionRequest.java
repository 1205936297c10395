package io.srpt.disni.provider;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.impl.NatObject;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that came to a listening id of RDMA/CM. */
final class DisniConnectionRequest implements ConnectionRequest {
    private static final Logger LOG = LoggerFactory.getLogger(DisniConnectionRequest.class);
    private static final int PRIVATE_DATA = 56;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final DisniConnectionManager manager;
    private final RdmaCmId id;
    private final ConnectionEvent event;

    DisniConnectionRequest(DisniConnectionManager manager, RdmaCmId id, ConnectionEvent event) {
        this.manager = manager;
        this.id = id;
        this.event = event;
    }

    @Override
    public RdmaPort port() {
        return manager.port();
    }

    @Override
    public long serviceId() {
        return ConnectionManager.rdmaCmServiceId(event.localPort());
    }

    @Override
    public boolean isRdmaCm() {
        return true;
    }

    @Override
    public Gid localGid() {
        return event.localGid();
    }

    @Override
    public Gid remoteGid() {
        return event.remoteGid();
    }

    @Override
    public InetAddress remoteAddress() {
        return event.remoteGid().toInetAddress();
    }

    /** RDMA/CM keeps it to itself. */
    @Override
    public long remoteNodeGuid() {
        return 0;
    }

    @Override
    public int remoteQueuePair() {
        return event.remoteQueuePair();
    }

    @Override
    public int pkey() {
        return DEFAULT_PKEY;
    }

    @Override
    public byte[] privateData() {
        return event.privateData(PRIVATE_DATA);
    }

    /** RDMA/CM turns the peer's words around: its responder resources are the depth that we may have. */
    @Override
    public int responderResources() {
        return event.initiatorDepth();
    }

    @Override
    public int initiatorDepth() {
        return event.responderResources();
    }

    @Override
    public Connection accept(
            QueuePair queuePair,
            int responderResources,
            int initiatorDepth,
            byte[] privateData,
            Runnable beforeReply,
            ConnectionHandler handler)
            throws VerbsException {
        DisniQueuePair own = (DisniQueuePair) queuePair;
        long pointer = ((NatObject) id).getObjId();
        DisniConnection connection = DisniConnection.passive(manager, id, own, event, handler);
        own.modifyByConnection(pointer, QueuePairState.INIT, 0);
        beforeReply.run();
        own.modifyByConnection(pointer, QueuePairState.RTR, responderResources);
        own.modifyByConnection(pointer, QueuePairState.RTS, initiatorDepth);
        ByteBuffer parameters = manager.parameters(own, responderResources, initiatorDepth, privateData);
        Records.check(VerbsNative.accept(pointer, Records.address(parameters)), "rdma_accept");
        manager.remember(connection);
        return connection;
    }

    /** RDMA/CM has one reason for refusals by the consumer, 28; the data say why. */
    @Override
    public void reject(RejectReason reason, byte[] privateData) {
        ByteBuffer data = Records.allocate(Math.max(1, privateData.length));
        data.put(0, privateData);
        int result = VerbsNative.reject(((NatObject) id).getObjId(), Records.address(data), privateData.length);
        if (result < 0) {
            LOG.debug("A request could not be refused: error {}", -result);
        }
        DisniConnectionManager.destroy(id);
    }
}
