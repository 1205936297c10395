package io.srpt.disni.provider;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatObject;
import io.srpt.loop.DescriptorWatch;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.Access;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePair.InitAttributes;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections through RDMA/CM, with one event channel on the loop. A service is a port of RDMA/CM's TCP port space, offered
 * on every address of the port; plain IB/CM service ids are not to be had from user space.
 */
final class DisniConnectionManager implements ConnectionManager {
    private static final Logger LOG = LoggerFactory.getLogger(DisniConnectionManager.class);
    private static final int BACKLOG = 128;
    private static final int RESOLVE_TIMEOUT_MILLIS = 2000;
    private static final int MAX_EVENTS_A_TURN = 64;

    private final DisniPort port;
    private final RdmaEventLoop loop;
    private final RdmaEventChannel channel;
    private final DescriptorWatch watch;
    private final ByteBuffer eventRecord = Records.allocate(Records.EVENT);
    private final ByteBuffer parameterRecord = Records.allocate(Records.PARAMETERS);
    private final ByteBuffer addresses = Records.allocate(32);
    private final Map<Long, DisniConnection> connections = new HashMap<>();
    private final List<Service> services = new ArrayList<>();
    private boolean closed;

    DisniConnectionManager(DisniPort port, RdmaEventLoop loop) throws VerbsException {
        this.port = port;
        this.loop = loop;
        try {
            channel = RdmaEventChannel.createEventChannel();
        } catch (IOException e) {
            throw new VerbsException(
                    "no event channel of RDMA/CM: " + e.getMessage()
                            + "; is the module rdma_ucm loaded, and may this user open /dev/infiniband/rdma_cm?",
                    e);
        }
        int descriptor =
                (int) Records.check(VerbsNative.channelDescriptor(((NatObject) channel).getObjId()), "event channel");
        watch = loop.watch(descriptor, this::onReadable);
    }

    DisniPort port() {
        return port;
    }

    RdmaEventLoop loop() {
        return loop;
    }

    // ---- services -----------------------------------------------------------------------------------------------

    @Override
    public Listener listen(long serviceId, ConnectionRequestHandler handler) throws VerbsException {
        if (!ConnectionManager.isRdmaCmServiceId(serviceId)) {
            throw new VerbsException(port.device().name() + " has RDMA/CM's services only, not service id 0x"
                    + Long.toHexString(serviceId));
        }
        Service service = new Service((int) serviceId & 0xFFFF, handler);
        service.refresh(port.table());
        if (service.ids.isEmpty()) {
            throw new VerbsException(port.device().name() + ": no address to listen on with port " + service.number);
        }
        services.add(service);
        return service;
    }

    /** The port's addresses changed. */
    void refresh(GidTable table) {
        for (Service service : services) {
            service.refresh(table);
        }
    }

    /** A service on all addresses. */
    private final class Service implements Listener {
        private final int number;
        private final ConnectionRequestHandler handler;
        private final Map<GidTable.Entry, RdmaCmId> ids = new HashMap<>();

        Service(int number, ConnectionRequestHandler handler) {
            this.number = number;
            this.handler = handler;
        }

        void refresh(GidTable table) {
            ids.entrySet().removeIf(entry -> {
                boolean gone = table.entries().stream()
                        .noneMatch(now -> now.gid().equals(entry.getKey().gid()));
                if (gone) {
                    destroy(entry.getValue());
                }
                return gone;
            });
            for (GidTable.Entry entry : table.entries()) {
                boolean known = ids.keySet().stream()
                        .anyMatch(listening -> listening.gid().equals(entry.gid()));
                if (!known) {
                    offer(entry);
                }
            }
        }

        private void offer(GidTable.Entry entry) {
            try {
                RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
                Records.gid(addresses, 0, entry.gid());
                int result = VerbsNative.bind(
                        ((NatObject) id).getObjId(), Records.address(addresses), entry.networkInterface(), number);
                if (result < 0) {
                    destroy(id);
                    LOG.warn("{}: no listening on {} port {}: error {}", port.device(), entry.gid(), number, -result);
                    return;
                }
                id.listen(BACKLOG);
                ids.put(entry, id);
            } catch (IOException e) {
                LOG.warn("{}: no listening on {} port {}: {}", port.device(), entry.gid(), number, e.getMessage());
            }
        }

        boolean owns(long listenId) {
            return ids.values().stream().anyMatch(id -> ((NatObject) id).getObjId() == listenId);
        }

        @Override
        public void close() {
            services.remove(this);
            ids.values().forEach(DisniConnectionManager::destroy);
            ids.clear();
        }
    }

    // ---- connections --------------------------------------------------------------------------------------------

    @Override
    public Connection connect(ConnectParameters parameters, QueuePair queuePair, ConnectionHandler handler)
            throws VerbsException {
        GidTable.Entry source = port.table().entries().get(parameters.sourceGidIndex());
        DisniQueuePair own = (DisniQueuePair) queuePair;
        RdmaCmId id;
        try {
            id = channel.createId(RdmaCm.RDMA_PS_TCP);
        } catch (IOException e) {
            throw new VerbsException("no id of RDMA/CM: " + e.getMessage(), e);
        }
        DisniConnection connection = DisniConnection.active(this, id, own, source.gid(), parameters, handler);
        Records.gid(addresses, 0, source.gid());
        Records.gid(addresses, 16, parameters.destination());
        try {
            own.modifyToInit(InitAttributes.connected(Access.REMOTE_READ | Access.REMOTE_WRITE));
            Records.check(
                    VerbsNative.resolveAddress(
                            connection.pointer(),
                            Records.address(addresses),
                            Records.address(addresses) + 16,
                            source.networkInterface(),
                            (int) parameters.serviceId() & 0xFFFF,
                            RESOLVE_TIMEOUT_MILLIS),
                    "no way from " + source.gid() + " to " + parameters.destination() + ": rdma_resolve_addr");
        } catch (VerbsException e) {
            destroy(id);
            throw e;
        }
        remember(connection);
        return connection;
    }

    /** Parameters for connecting or accepting, in a record that is good until the next call. */
    ByteBuffer parameters(DisniQueuePair queuePair, int responderResources, int initiatorDepth, byte[] privateData) {
        ByteBuffer record = parameterRecord;
        record.putInt(0, queuePair.number());
        record.putInt(4, queuePair.hasSharedReceives() ? 1 : 0);
        record.putInt(8, responderResources);
        record.putInt(12, initiatorDepth);
        record.putInt(16, 7);
        record.putInt(20, 7);
        record.putInt(Records.PARAMETERS_PRIVATE_LENGTH, privateData.length);
        record.put(Records.PARAMETERS_PRIVATE_DATA, privateData);
        return record;
    }

    void remember(DisniConnection connection) {
        connections.put(connection.pointer(), connection);
    }

    void forget(DisniConnection connection) {
        connections.remove(connection.pointer());
    }

    // ---- events -------------------------------------------------------------------------------------------------

    private void onReadable() {
        for (int i = 0; i < MAX_EVENTS_A_TURN && !closed; i++) {
            int result = VerbsNative.connectionEvent(((NatObject) channel).getObjId(), Records.address(eventRecord));
            if (result <= 0) {
                if (result < 0) {
                    LOG.warn("{}: an event of RDMA/CM could not be taken: error {}", port.device(), -result);
                }
                return;
            }
            onEvent(ConnectionEvent.of(eventRecord));
        }
    }

    private void onEvent(ConnectionEvent event) {
        if (event.type() == ConnectionEvent.CONNECT_REQUEST) {
            onRequest(event);
            return;
        }
        DisniConnection connection = connections.get(event.id());
        if (connection != null) {
            connection.onEvent(event);
        } else if (event.type() == ConnectionEvent.DEVICE_REMOVAL) {
            port.onRemoved();
        }
    }

    private void onRequest(ConnectionEvent event) {
        RdmaCmId id = wrap(event.id());
        Service service = null;
        for (Service each : services) {
            if (each.owns(event.listenId())) {
                service = each;
            }
        }
        if (id == null) {
            return;
        }
        DisniConnectionRequest request = new DisniConnectionRequest(this, id, event);
        if (service == null) {
            request.reject(io.srpt.verbs.RejectReason.INVALID_SERVICE_ID, new byte[0]);
        } else {
            service.handler.onConnectionRequest(request);
        }
    }

    private @Nullable RdmaCmId wrap(long id) {
        try {
            return new NatCmaIdPrivate(id, channel, Dispatcher.INSTANCE);
        } catch (IOException e) {
            LOG.error("{}: a request is lost", port.device(), e);
            return null;
        }
    }

    static void destroy(RdmaCmId id) {
        try {
            id.destroyId();
        } catch (IOException e) {
            LOG.warn("An id of RDMA/CM could not be destroyed: {}", e.getMessage());
        }
    }

    void close() {
        closed = true;
        List.copyOf(services).forEach(Service::close);
        List.copyOf(connections.values()).forEach(DisniConnection::close);
        watch.close();
        try {
            channel.destroyEventChannel();
        } catch (IOException e) {
            LOG.warn("{}: the event channel could not be closed: {}", port.device(), e.getMessage());
        }
    }
}
