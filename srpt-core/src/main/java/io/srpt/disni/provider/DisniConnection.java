package io.srpt.disni.provider;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.impl.NatObject;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager.ConnectParameters;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of RDMA/CM; the kernel has the protocol's state machine, this is what its owner sees.
 *
 * <table>
 *   <caption>States and what the kernel's events do</caption>
 *   <tr><th>state</th><th>event</th><th>then</th></tr>
 *   <tr><td>CONNECTING (active)</td><td>address, then route resolved</td><td>REQ is sent</td></tr>
 *   <tr><td></td><td>response</td><td>queue pair to RTS, RTU is sent, ESTABLISHED</td></tr>
 *   <tr><td></td><td>rejected, error, unreachable</td><td>ENDED</td></tr>
 *   <tr><td>ACCEPTING (passive, REP is sent)</td><td>established, or data came</td><td>ESTABLISHED</td></tr>
 *   <tr><td></td><td>rejected, unreachable</td><td>ENDED</td></tr>
 *   <tr><td>ESTABLISHED</td><td>disconnected, device removed</td><td>queue pair to ERR, DREP, ENDED</td></tr>
 *   <tr><td>ENDING (we asked)</td><td>disconnected</td><td>ENDED</td></tr>
 * </table>
 */
final class DisniConnection implements Connection {
    /** 0.64 ms, as the software provider offers. */
    static final int MIN_RNR_TIMER = 12;

    private static final Logger LOG = LoggerFactory.getLogger(DisniConnection.class);
    private static final int RESPONSE_PRIVATE_DATA = 196;
    private static final int REJECT_PRIVATE_DATA = 148;
    private static final int ROUTE_TIMEOUT_MILLIS = 2000;

    private enum State {
        CONNECTING,
        ACCEPTING,
        ESTABLISHED,
        ENDING,
        ENDED
    }

    private final DisniConnectionManager manager;
    private final RdmaCmId id;
    private final DisniQueuePair queuePair;
    private final Gid localGid;
    private final Gid remoteGid;
    private final @Nullable ConnectParameters parameters;
    private @Nullable ConnectionHandler handler;
    private State state;
    private boolean closed;

    private DisniConnection(
            DisniConnectionManager manager,
            RdmaCmId id,
            DisniQueuePair queuePair,
            Gid localGid,
            Gid remoteGid,
            @Nullable ConnectParameters parameters,
            ConnectionHandler handler) {
        this.manager = manager;
        this.id = id;
        this.queuePair = queuePair;
        this.localGid = localGid;
        this.remoteGid = remoteGid;
        this.parameters = parameters;
        this.handler = handler;
        this.state = parameters == null ? State.ACCEPTING : State.CONNECTING;
        queuePair.connection(this);
    }

    static DisniConnection active(
            DisniConnectionManager manager,
            RdmaCmId id,
            DisniQueuePair queuePair,
            Gid localGid,
            ConnectParameters parameters,
            ConnectionHandler handler) {
        return new DisniConnection(manager, id, queuePair, localGid, parameters.destination(), parameters, handler);
    }

    static DisniConnection passive(
            DisniConnectionManager manager,
            RdmaCmId id,
            DisniQueuePair queuePair,
            ConnectionEvent request,
            ConnectionHandler handler) {
        return new DisniConnection(manager, id, queuePair, request.localGid(), request.remoteGid(), null, handler);
    }

    long pointer() {
        return ((NatObject) id).getObjId();
    }

    // ---- events -------------------------------------------------------------------------------------------------

    void onEvent(ConnectionEvent event) {
        switch (event.type()) {
            case ConnectionEvent.ADDRESS_RESOLVED -> onAddressResolved();
            case ConnectionEvent.ROUTE_RESOLVED -> onRouteResolved();
            case ConnectionEvent.CONNECT_RESPONSE -> onResponse(event);
            case ConnectionEvent.ESTABLISHED -> onEstablished();
            case ConnectionEvent.REJECTED -> onRejected(event);
            case ConnectionEvent.ADDRESS_ERROR,
                    ConnectionEvent.ROUTE_ERROR,
                    ConnectionEvent.CONNECT_ERROR,
                    ConnectionEvent.UNREACHABLE -> onUnreachable(event);
            case ConnectionEvent.DISCONNECTED, ConnectionEvent.DEVICE_REMOVAL -> onDisconnected();
            case ConnectionEvent.TIMEWAIT_EXIT -> onTimeWaitExit();
            default -> LOG.debug("Connection of QP {}: event {} is ignored", queuePair.number(), event.type());
        }
    }

    private void onAddressResolved() {
        if (state == State.CONNECTING) {
            try {
                id.resolveRoute(ROUTE_TIMEOUT_MILLIS);
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    private void onRouteResolved() {
        ConnectParameters wanted = parameters;
        if (state == State.CONNECTING && wanted != null) {
            ByteBuffer record = manager.parameters(
                    queuePair, wanted.responderResources(), wanted.initiatorDepth(), wanted.privateData());
            record.putInt(16, wanted.retryCount());
            record.putInt(20, wanted.rnrRetryCount());
            int result = VerbsNative.connect(pointer(), Records.address(record));
            if (result < 0) {
                fail(new IOException("rdma_connect: error " + -result));
            }
        }
    }

    private void onResponse(ConnectionEvent event) {
        ConnectParameters wanted = parameters;
        if (state != State.CONNECTING || wanted == null) {
            return;
        }
        try {
            queuePair.modifyByConnection(pointer(), QueuePairState.RTR, wanted.responderResources());
            queuePair.modifyByConnection(
                    pointer(), QueuePairState.RTS, Math.min(wanted.initiatorDepth(), event.initiatorDepth()));
            Records.check(VerbsNative.establish(pointer()), "rdma_establish");
        } catch (VerbsException e) {
            fail(e);
            return;
        }
        enter(State.ESTABLISHED);
        tell(to -> to.onEstablished(this, event.privateData(RESPONSE_PRIVATE_DATA)));
    }

    private void onEstablished() {
        if (state == State.ACCEPTING) {
            enter(State.ESTABLISHED);
            tell(to -> to.onEstablished(this, new byte[0]));
        }
    }

    /** The kernel tells that RTU, in a way, came: {@link #onEstablished} follows. */
    void onCommunicationEstablished() {
        if (state == State.ACCEPTING) {
            VerbsNative.communicationEstablished(pointer());
        }
    }

    private void onRejected(ConnectionEvent event) {
        if (state == State.ENDED) {
            return;
        }
        end();
        tell(to -> to.onRejected(this, RejectReason.of(event.status()), event.privateData(REJECT_PRIVATE_DATA)));
    }

    private void onUnreachable(ConnectionEvent event) {
        if (state == State.ENDED) {
            return;
        }
        LOG.debug("Connection of QP {}: event {} with {}", queuePair.number(), event.type(), event.status());
        end();
        tell(to -> to.onUnreachable(this));
    }

    private void onDisconnected() {
        State before = state;
        if (before == State.ENDED) {
            return;
        }
        end();
        if (before == State.ESTABLISHED || before == State.ENDING) {
            tell(to -> to.onDisconnected(this));
        } else {
            tell(to -> to.onUnreachable(this));
        }
        if (before == State.ESTABLISHED && !closed) {
            sendDisconnect();
        }
    }

    private void onTimeWaitExit() {
        tell(to -> to.onTimeWaitExit(this));
    }

    private void fail(Exception cause) {
        LOG.debug("Connection of QP {} failed", queuePair.number(), cause);
        end();
        tell(to -> to.onUnreachable(this));
    }

    private void end() {
        enter(State.ENDED);
        queuePair.modifyToError();
    }

    private void enter(State next) {
        LOG.debug("Connection of QP {}: {} -> {}", queuePair.number(), state, next);
        state = next;
    }

    private void tell(java.util.function.Consumer<ConnectionHandler> news) {
        ConnectionHandler to = handler;
        if (to != null) {
            news.accept(to);
        }
    }

    // ---- the owner ----------------------------------------------------------------------------------------------

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public Gid localGid() {
        return localGid;
    }

    @Override
    public Gid remoteGid() {
        return remoteGid;
    }

    @Override
    public boolean isEstablished() {
        return state == State.ESTABLISHED;
    }

    @Override
    public void disconnect() {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        boolean established = state == State.ESTABLISHED;
        enter(State.ENDING);
        queuePair.modifyToError();
        if (!established || !sendDisconnect()) {
            // Nothing will come from the peer: the end is now, but not inside this call.
            manager.loop().execute(this::onDisconnected);
        }
    }

    private boolean sendDisconnect() {
        try {
            return id.disconnect() == 0;
        } catch (IOException e) {
            LOG.debug("Connection of QP {} could not be disconnected", queuePair.number(), e);
            return false;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        handler = null;
        queuePair.modifyToError();
        manager.forget(this);
        // Ends what stands with DREQ or REJ.
        DisniConnectionManager.destroy(id);
    }
}
