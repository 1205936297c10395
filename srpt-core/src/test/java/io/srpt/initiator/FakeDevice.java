package io.srpt.initiator;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A device with one port whose connection requests the test answers, and whose memory the test can reach by key. */
final class FakeDevice implements RdmaDevice, RdmaPort, ConnectionManager, ProtectionDomain {
    final ManualLoop loop;
    final Map<Integer, FakeRegion> regions = new HashMap<>();
    int openDomains;
    boolean refuseQueuePairs;

    @Nullable
    FakeConnection connection;

    private int nextKey = 0x100;
    private long nextAddress = 0x7000_0000_0000L;

    FakeDevice(ManualLoop loop) {
        this.loop = loop;
    }

    /** What {@code key} gives at {@code address}. */
    ByteBuffer memory(int key, long address, int length) {
        FakeRegion region = regions.get(key);
        if (region == null) {
            throw new AssertionError("no memory region with key " + key);
        }
        return region.memory.slice((int) (address - region.address), length);
    }

    FakeConnection connection() {
        FakeConnection made = connection;
        if (made == null) {
            throw new AssertionError("no connection was asked for");
        }
        return made;
    }

    @Override
    public String name() {
        return "fake0";
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(0x0200_00FF_FE00_0001L, 0, 0, 0, 1024, 1024, 4, 16, 15);
    }

    @Override
    public List<RdmaPort> ports() {
        return List.of(this);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        openDomains++;
        return this;
    }

    @Override
    public CompletionQueue createCompletionQueue(RdmaLoop onLoop, int capacity, CompletionListener listener) {
        return new FakeQueue(onLoop, capacity, listener);
    }

    @Override
    public void addEventListener(DeviceEventListener listener) {}

    @Override
    public void removeEventListener(DeviceEventListener listener) {}

    @Override
    public RdmaDevice device() {
        return this;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public RdmaLoop loop() {
        return loop;
    }

    @Override
    public List<Gid> gids() {
        return List.of(new Gid(0, 0xFFFF_7F00_0002L));
    }

    @Override
    public int activeMtu() {
        return 1024;
    }

    @Override
    public ConnectionManager connectionManager() {
        return this;
    }

    @Override
    public Listener listen(long serviceId, ConnectionRequestHandler handler) throws VerbsException {
        throw new VerbsException("not served here");
    }

    @Override
    public Connection connect(ConnectParameters parameters, QueuePair queuePair, ConnectionHandler handler) {
        FakeConnection made = new FakeConnection(parameters, (FakeQueuePair) queuePair, handler);
        connection = made;
        return made;
    }

    @Override
    public MemoryRegion register(ByteBuffer buffer, int access) {
        FakeRegion region = new FakeRegion(nextAddress, nextKey++, buffer);
        nextAddress += 0x1_0000_0000L;
        regions.put(region.key, region);
        return region;
    }

    @Override
    public QueuePair createQueuePair(QueuePairInit init) throws VerbsException {
        if (refuseQueuePairs) {
            throw new VerbsException("no queue pair left");
        }
        return new FakeQueuePair(this, init);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(RdmaLoop onLoop, int maxRequests, int maxSegments)
            throws VerbsException {
        throw new VerbsException("not served here");
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) throws VerbsException {
        throw new VerbsException("not served here");
    }

    @Override
    public void close() {
        openDomains--;
    }

    /** A region with one key for all. */
    final class FakeRegion implements MemoryRegion {
        private final long address;
        private final int key;
        private final ByteBuffer memory;

        FakeRegion(long address, int key, ByteBuffer memory) {
            this.address = address;
            this.key = key;
            this.memory = memory;
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public long length() {
            return memory.capacity();
        }

        @Override
        public int localKey() {
            return key;
        }

        @Override
        public int remoteKey() {
            return key;
        }

        @Override
        public ByteBuffer buffer() {
            return memory;
        }

        @Override
        public void close() {
            regions.remove(key);
        }
    }

    /** The connection that the session asked for; the test plays the target's connection manager. */
    static final class FakeConnection implements Connection {
        final ConnectionManager.ConnectParameters parameters;
        final FakeQueuePair queuePair;
        final ConnectionHandler handler;
        int disconnects;
        boolean closed;

        FakeConnection(
                ConnectionManager.ConnectParameters parameters, FakeQueuePair queuePair, ConnectionHandler handler) {
            this.parameters = parameters;
            this.queuePair = queuePair;
            this.handler = handler;
        }

        @Override
        public QueuePair queuePair() {
            return queuePair;
        }

        @Override
        public Gid localGid() {
            return new Gid(0, 0);
        }

        @Override
        public Gid remoteGid() {
            return parameters.destination();
        }

        @Override
        public boolean isEstablished() {
            return disconnects == 0 && !closed;
        }

        @Override
        public void disconnect() {
            if (disconnects++ == 0) {
                queuePair.modifyToError();
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
