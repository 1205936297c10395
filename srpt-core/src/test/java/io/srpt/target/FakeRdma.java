package io.srpt.target;

import io.srpt.loop.VirtualLoop;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A device in memory, driven by a script: one port, one loop in virtual time. It counts what was made and not closed. */
final class FakeRdma implements RdmaDevice, RdmaPort, ConnectionManager, ProtectionDomain {
    final VirtualLoop loop;
    final Map<Long, ConnectionRequestHandler> services = new HashMap<>();
    final List<DeviceEventListener> listeners = new ArrayList<>();
    final Map<Integer, FakeRegion> regions = new HashMap<>();
    int queuePairs;
    int completionQueues;
    int protectionDomains;
    int maxSegments = 4;
    int maxRequests = 4096;
    Gid gid = new Gid(0xfe80_0000_0000_0000L, 0x5054_00ff_fe5a_0114L);
    boolean refuseQueuePairs;
    boolean refuseSharedReceives;

    /** Send queues of more work requests are refused. */
    int mostSends = Integer.MAX_VALUE;

    int sharedReceiveQueues;
    boolean refuseRegions;

    /** Allocations, counted from 0, that fail: this one and all that follow. */
    int failFrom = Integer.MAX_VALUE;

    int allocations;

    /** Runs before each listener is made. */
    Runnable whenListening = () -> {};

    private int nextNumber = 16;
    private long nextAddress = 0x7000_0000_0000L;

    FakeRdma() {
        this(VirtualLoop.create("fake"));
    }

    /** Another device on the loop of one that is there. */
    FakeRdma(VirtualLoop loop) {
        this.loop = loop;
    }

    /** Memory that work requests name by address. */
    final class FakeRegion implements MemoryRegion {
        private final ByteBuffer buffer;
        private final long address;
        private final int key;

        FakeRegion(ByteBuffer buffer) {
            this.buffer = buffer;
            address = nextAddress;
            nextAddress += buffer.capacity() + 0x10000;
            key = nextNumber++;
            regions.put(key, this);
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public long length() {
            return buffer.capacity();
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
            return buffer;
        }

        @Override
        public void close() {
            regions.remove(key);
        }
    }

    /** The bytes behind an address, which must lie within the region of {@code key}. */
    ByteBuffer resolve(long address, int length, int key) {
        FakeRegion region = Objects.requireNonNull(regions.get(key), "no region with key " + key);
        return region.buffer.slice(Math.toIntExact(address - region.address), length);
    }

    int nextNumber() {
        return nextNumber++;
    }

    // RdmaDevice

    @Override
    public String name() {
        return "fake0";
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(1, 2, 3, 4, maxRequests, maxRequests, maxSegments, 16, 15);
    }

    @Override
    public List<RdmaPort> ports() {
        return List.of(this);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        protectionDomains++;
        return this;
    }

    /** Something that can fail is about to be made or changed. */
    void allocate(String what) throws VerbsException {
        if (allocations++ >= failFrom) {
            throw new VerbsException(what + " fails on purpose");
        }
    }

    @Override
    public CompletionQueue createCompletionQueue(RdmaLoop owner, int capacity, CompletionListener listener)
            throws VerbsException {
        allocate("completion queue");
        return new FakeCompletionQueue(this, capacity, listener);
    }

    @Override
    public void addEventListener(DeviceEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeEventListener(DeviceEventListener listener) {
        listeners.remove(listener);
    }

    /** Closes a protection domain; the device itself is never closed. */
    @Override
    public void close() {
        protectionDomains--;
    }

    // RdmaPort

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
        return List.of(gid);
    }

    @Override
    public int activeMtu() {
        return 1024;
    }

    @Override
    public ConnectionManager connectionManager() {
        return this;
    }

    // ConnectionManager

    @Override
    public Listener listen(long serviceId, ConnectionRequestHandler handler) throws VerbsException {
        whenListening.run();
        if (services.putIfAbsent(serviceId, handler) != null) {
            throw new VerbsException("service id taken");
        }
        return () -> services.remove(serviceId);
    }

    @Override
    public Connection connect(ConnectParameters parameters, QueuePair queuePair, ConnectionHandler handler) {
        throw new UnsupportedOperationException();
    }

    // ProtectionDomain

    @Override
    public MemoryRegion register(ByteBuffer buffer, int access) throws VerbsException {
        if (refuseRegions) {
            throw new VerbsException("no memory");
        }
        allocate("memory region");
        return new FakeRegion(buffer);
    }

    @Override
    public QueuePair createQueuePair(QueuePairInit init) throws VerbsException {
        if (refuseQueuePairs || init.maxSendRequests() > mostSends) {
            throw new VerbsException("no queue pair");
        }
        allocate("queue pair");
        return new FakeQueuePair(this, init);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(RdmaLoop owner, int maxRequests, int maxSegments)
            throws VerbsException {
        if (refuseSharedReceives) {
            throw new VerbsException("no shared receive queue");
        }
        allocate("shared receive queue");
        return new FakeSharedReceives(this, maxRequests);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) {
        throw new UnsupportedOperationException();
    }
}
