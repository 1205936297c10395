package io.srpt.roce;

import io.srpt.mad.MadPort;
import io.srpt.roce.net.DatagramPort;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.DeviceResources;
import io.srpt.verbs.Gid;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.VerbsException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A software RoCEv2 device: one network interface, so one port, with an entry in its GID table for each address. All of it
 * lives on one event loop.
 *
 * <p>Threads: the loop, unless a method says otherwise.
 */
public final class RoceDevice implements RdmaDevice {
    /** The vendor id of no vendor, as the kernel's rxe has it. */
    private static final int NO_VENDOR = 0xFFFFFF;

    private static final int MAX_REQUESTS = 16384;
    private static final int MAX_SEGMENTS = 64;
    private static final int MAX_READS = 16;
    private static final int ACK_DELAY = 15;

    private final String name;
    private final RdmaLoop loop;
    private final DeviceAttributes attributes;
    private final RoceCounters counters = new RoceCounters();
    private final RandomGenerator random = UnpredictableNumbers.newGenerator();
    private final MemoryTable memory = new MemoryTable(random);
    private final RocePort port;
    private boolean closed;

    private RoceDevice(RdmaLoop loop, RoceConfiguration configuration, List<DatagramPort> addresses)
            throws VerbsException {
        this.name = configuration.name();
        this.loop = loop;
        this.attributes = new DeviceAttributes(
                configuration.nodeGuid(),
                NO_VENDOR,
                0,
                0,
                MAX_REQUESTS,
                MAX_REQUESTS,
                MAX_SEGMENTS,
                MAX_READS,
                ACK_DELAY);
        this.port = new RocePort(this, configuration, addresses);
    }

    /**
     * Opens a device whose port has the given addresses, in the order of its GID table, and starts to serve them. On
     * {@code loop}; the ports are closed if this fails.
     */
    public static RoceDevice open(RdmaLoop loop, RoceConfiguration configuration, List<DatagramPort> addresses)
            throws VerbsException {
        assert loop.inEventLoop();
        if (addresses.isEmpty()) {
            throw new VerbsException(configuration.name() + " has no address");
        }
        try {
            RoceDevice device = new RoceDevice(loop, configuration, addresses);
            device.port.open();
            return device;
        } catch (VerbsException e) {
            addresses.forEach(DatagramPort::close);
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public List<RdmaPort> ports() {
        return List.of(port);
    }

    /**
     * An address of the interface is there, new or again; it is served from now on. The listeners of the device hear
     * PORT_ACTIVE if it is the only one, and GID_CHANGE. Throws, and closes {@code address}, if it is there already. On the loop.
     */
    public void attach(DatagramPort address) throws VerbsException {
        assert loop.inEventLoop();
        try {
            port.attach(address);
        } catch (VerbsException e) {
            address.close();
            throw e;
        }
    }

    /**
     * An address of the interface is gone. Its socket is closed, its place in the GID table is zero; connections over it stay
     * as long as their retries last, and go on if it comes back before. The listeners hear GID_CHANGE, and PORT_ERROR if it was
     * the last. Returns whether it was there. On the loop.
     */
    public boolean detach(Gid address) {
        return port.detach(address);
    }

    /** The one port, with its management datagrams. */
    public MadPort madPort() {
        return port;
    }

    /** What the device counts. Any thread. */
    public RoceCounters counters() {
        return counters;
    }

    @Override
    public DeviceResources resources() {
        return new DeviceResources(
                counters.queuePairs().get(),
                counters.addressHandles().get(),
                memory.regions().get(),
                memory.bytes().get());
    }

    RocePort port() {
        return port;
    }

    RdmaLoop loop() {
        return loop;
    }

    RandomGenerator random() {
        return random;
    }

    MemoryTable memory() {
        return memory;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return new RoceProtectionDomain(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(RdmaLoop owner, int capacity, CompletionListener listener)
            throws VerbsException {
        if (owner != loop) {
            throw new VerbsException(name + " lives on " + loop.name() + ", not on " + owner.name());
        }
        RoceCompletionQueue queue = new RoceCompletionQueue(owner, capacity, listener);
        owner.attach(queue);
        return queue;
    }

    @Override
    public void addEventListener(DeviceEventListener listener) {
        port.addEventListener(listener);
    }

    @Override
    public void removeEventListener(DeviceEventListener listener) {
        port.removeEventListener(listener);
    }

    @Override
    public void transportListener(@Nullable TransportEventListener listener) {
        assert loop.inEventLoop();
        port.transportListener(listener);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            port.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
