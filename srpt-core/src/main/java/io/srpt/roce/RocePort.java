package io.srpt.roce;

import io.srpt.mad.MadPort;
import io.srpt.mad.MadService;
import io.srpt.mad.QueuePairMadTransport;
import io.srpt.roce.cm.CmSettings;
import io.srpt.roce.cm.QueuePairNumbers;
import io.srpt.roce.cm.RoceConnectionManager;
import io.srpt.roce.net.DatagramPort;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The port of a {@link RoceDevice}: its addresses, its queue pairs by number, QP1 and the connection manager. */
final class RocePort implements MadPort {
    private static final int GENERAL_SERVICES_QUEUE_PAIR = 1;

    private final RoceDevice device;
    private final int pathMtu;
    /** By index of the GID table. */
    private final List<RoceEndpoint> endpoints = new ArrayList<>();

    private final QueuePairTable queuePairs;
    private final List<DeviceEventListener> eventListeners = new CopyOnWriteArrayList<>();
    private final MadService mads;
    private final RoceConnectionManager connectionManager;
    private volatile List<Gid> gids = List.of();
    private boolean retransmitting = true;
    private @Nullable TransportEventListener transportListener;

    RocePort(RoceDevice device, RoceConfiguration configuration, List<DatagramPort> addresses) throws VerbsException {
        this.device = device;
        this.pathMtu = configuration.pathMtu();
        this.queuePairs = new QueuePairTable(device.random());
        for (DatagramPort address : addresses) {
            endpoints.add(new RoceEndpoint(this, address, endpoints.size()));
        }
        updateGids();
        RoceProtectionDomain domain = new RoceProtectionDomain(device);
        this.mads = new MadService(
                device.name() + "/" + number(),
                device.loop(),
                QueuePairMadTransport.create(
                        device,
                        domain,
                        device.loop(),
                        (queue, sends, receives) -> createGeneralServices(
                                domain, QueuePairInit.datagram(QueuePairType.GSI, queue, sends, receives)),
                        configuration.madBuffers(),
                        configuration.madBuffers() / 2));
        // QueuePairTable gives a number out again only after all others: TimeWait is long over by then.
        this.connectionManager =
                new RoceConnectionManager(this, mads, QueuePairNumbers.UNGUARDED, CmSettings.DEFAULT, device.random());
    }

    void open() throws VerbsException {
        mads.start();
        endpoints.forEach(RoceEndpoint::open);
    }

    void close() {
        connectionManager.close();
        mads.close();
        endpoints.forEach(RoceEndpoint::close);
    }

    /**
     * An address is there: one that was there before has its old place in the GID table, a new one the first that nobody uses.
     */
    void attach(DatagramPort address) throws VerbsException {
        assert loop().inEventLoop();
        if (gids.contains(address.localGid())) {
            throw new VerbsException(address.localGid() + " is an address of " + device.name() + " already");
        }
        boolean wasDown = isDown();
        RoceEndpoint known = endpoints.stream()
                .filter(endpoint -> endpoint.gid().equals(address.localGid()))
                .findFirst()
                .orElse(null);
        if (known != null) {
            known.attach(address);
        } else {
            add(address);
        }
        updateGids();
        if (wasDown) {
            raise(DeviceEventListener.Event.PORT_ACTIVE);
        }
        raise(DeviceEventListener.Event.GID_CHANGE);
    }

    private void add(DatagramPort address) {
        int index = 0;
        while (index < endpoints.size() && !endpoints.get(index).isUnused()) {
            index++;
        }
        RoceEndpoint added = new RoceEndpoint(this, address, index);
        if (index < endpoints.size()) {
            endpoints.set(index, added).close();
        } else {
            endpoints.add(added);
        }
        added.open();
    }

    /** An address is gone, for now or for good. Returns whether it was there. */
    boolean detach(Gid address) {
        assert loop().inEventLoop();
        for (RoceEndpoint endpoint : endpoints) {
            if (endpoint.isAttached() && endpoint.gid().equals(address)) {
                endpoint.detach();
                updateGids();
                raise(DeviceEventListener.Event.GID_CHANGE);
                if (isDown()) {
                    raise(DeviceEventListener.Event.PORT_ERROR);
                }
                return true;
            }
        }
        return false;
    }

    private boolean isDown() {
        return endpoints.stream().noneMatch(RoceEndpoint::isAttached);
    }

    private void updateGids() {
        gids = endpoints.stream()
                .map(endpoint -> endpoint.isAttached() ? endpoint.gid() : Gid.ZERO)
                .toList();
    }

    private void raise(DeviceEventListener.Event event) {
        for (DeviceEventListener listener : eventListeners) {
            listener.onDeviceEvent(device, event, number());
        }
    }

    private QueuePair createGeneralServices(RoceProtectionDomain domain, QueuePairInit init) {
        DatagramQueuePair queuePair = new DatagramQueuePair(this, domain, init, GENERAL_SERVICES_QUEUE_PAIR);
        queuePairs.add(queuePair);
        return queuePair;
    }

    QueuePair createQueuePair(RoceProtectionDomain domain, QueuePairInit init) throws VerbsException {
        assert loop().inEventLoop();
        int number = queuePairs.allocate();
        RoceQueuePair queuePair = init.type() == QueuePairType.RC
                ? new ReliableQueuePair(this, domain, init, number)
                : new DatagramQueuePair(this, domain, init, number);
        queuePairs.add(queuePair);
        return queuePair;
    }

    @Nullable
    RoceQueuePair findQueuePair(int number) {
        return queuePairs.find(number);
    }

    void forget(RoceQueuePair queuePair) {
        queuePairs.remove(queuePair);
    }

    RoceEndpoint endpoint(int gidIndex) {
        return endpoints.get(gidIndex);
    }

    RoceCounters counters() {
        return device.counters();
    }

    /** The first packet came on {@code queuePair}: as good as RTU for the connection manager. */
    void onCommunicationEstablished(QueuePair queuePair) {
        connectionManager.communicationEstablished(queuePair.number());
    }

    boolean isRetransmitting() {
        return retransmitting;
    }

    /** For the test that shows what retransmission is good for: from now on lost packets stay lost. */
    void stopRetransmitting() {
        retransmitting = false;
    }

    void transportListener(@Nullable TransportEventListener listener) {
        transportListener = listener;
    }

    /** Tells whoever watches the transport. Not for every packet. */
    void report(TransportEventListener.Kind kind, int queuePair, long detail) {
        TransportEventListener listener = transportListener;
        if (listener != null) {
            listener.onTransportEvent(this, kind, queuePair, detail);
        }
    }

    void addEventListener(DeviceEventListener listener) {
        eventListeners.add(listener);
    }

    void removeEventListener(DeviceEventListener listener) {
        eventListeners.remove(listener);
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public RdmaLoop loop() {
        return device.loop();
    }

    @Override
    public List<Gid> gids() {
        return gids;
    }

    @Override
    public int activeMtu() {
        return pathMtu;
    }

    @Override
    public ConnectionManager connectionManager() {
        return connectionManager;
    }

    @Override
    public MadService mads() {
        return mads;
    }
}
