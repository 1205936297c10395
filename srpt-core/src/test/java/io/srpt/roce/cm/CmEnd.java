package io.srpt.roce.cm;

import io.srpt.loop.VirtualClock;
import io.srpt.loop.VirtualLoop;
import io.srpt.mad.MadService;
import io.srpt.mad.MadWire;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** A port with a connection manager on a simulated wire, whose consumer writes down what it is told. */
final class CmEnd implements ConnectionHandler, QueuePairNumbers {
    static final int BUFFERS = 64;

    final VirtualLoop loop;
    final Gid gid;
    final MadWire.Transport transport;
    final MadService mads;
    final RoceConnectionManager manager;
    final List<String> events = new ArrayList<>();
    final List<ConnectionRequest> requests = new ArrayList<>();
    final List<FakeQueuePair> queuePairs = new ArrayList<>();
    final TreeSet<Integer> heldNumbers = new TreeSet<>();
    byte[] establishedData = {};
    byte[] rejectData = {};
    private int nextQueuePair;

    /** Closes connections from inside each callback. */
    boolean closesInCallbacks;

    CmEnd(VirtualClock clock, MadWire wire, String name, String gid, long guid, CmSettings settings, long seed)
            throws VerbsException {
        loop = clock.newLoop(name);
        this.gid = Gid.parse(gid);
        transport = wire.attach(loop, this.gid, BUFFERS);
        mads = new MadService(loop, transport);
        mads.start();
        nextQueuePair = (int) (guid & 0xFF) << 8;
        manager = new RoceConnectionManager(
                new FakePort(loop, this.gid, guid, 1024), mads, this, settings, new Random(seed));
    }

    FakeQueuePair newQueuePair() {
        FakeQueuePair queuePair = new FakeQueuePair(nextQueuePair++);
        queuePairs.add(queuePair);
        return queuePair;
    }

    /** Accepts what comes to {@code serviceId} at once. */
    void acceptAll(long serviceId) throws VerbsException {
        manager.listen(serviceId, request -> {
            requests.add(request);
            accept(request);
        });
    }

    /** Only keeps what comes to {@code serviceId}. */
    void keepAll(long serviceId) throws VerbsException {
        manager.listen(serviceId, requests::add);
    }

    Connection accept(ConnectionRequest request) {
        FakeQueuePair queuePair = newQueuePair();
        try {
            return request.accept(
                    queuePair,
                    4,
                    4,
                    new byte[] {(byte) 0xC0, 1, 2},
                    () -> events.add("post in " + queuePair.state()),
                    this);
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }

    Connection connect(CmEnd to, long serviceId, byte... privateData) throws VerbsException {
        return connect(to, newQueuePair(), serviceId, privateData);
    }

    Connection connect(CmEnd to, FakeQueuePair queuePair, long serviceId, byte... privateData) throws VerbsException {
        return manager.connect(
                new ConnectionManager.ConnectParameters(0, to.gid, serviceId, privateData, 1024, 3, 0, 7, 7, 19),
                queuePair,
                this);
    }

    FakeQueuePair queuePair(int index) {
        return queuePairs.get(index);
    }

    QueuePairState state(int index) {
        return queuePairs.get(index).state();
    }

    /** No address handle, no buffer, no half-open request and no timer-held connection is left. */
    boolean isClean() {
        return transport.openHandles() == 0
                && transport.pool().inUse().get() == 0
                && manager.counters().halfOpen.get() == 0
                && manager.counters().established.get() == 0
                && manager.counters().timeWait.get() == 0
                && heldNumbers.isEmpty();
    }

    private void closeIfAsked(Connection connection) {
        if (closesInCallbacks) {
            connection.close();
        }
    }

    @Override
    public void onEstablished(Connection connection, byte[] privateData) {
        establishedData = privateData;
        events.add("established");
        closeIfAsked(connection);
    }

    @Override
    public void onDisconnected(Connection connection) {
        events.add("disconnected");
        closeIfAsked(connection);
    }

    @Override
    public void onRejected(Connection connection, RejectReason reason, byte[] privateData) {
        rejectData = privateData;
        events.add("rejected " + reason);
        closeIfAsked(connection);
    }

    @Override
    public void onUnreachable(Connection connection) {
        events.add("unreachable");
        closeIfAsked(connection);
    }

    @Override
    public void onTimeWaitExit(Connection connection) {
        events.add("time wait over");
        closeIfAsked(connection);
    }

    @Override
    public void hold(int queuePairNumber) {
        if (!heldNumbers.add(queuePairNumber)) {
            throw new AssertionError("held twice: " + queuePairNumber);
        }
    }

    @Override
    public void release(int queuePairNumber) {
        if (!heldNumbers.remove(queuePairNumber)) {
            throw new AssertionError("released without being held: " + queuePairNumber);
        }
    }
}
