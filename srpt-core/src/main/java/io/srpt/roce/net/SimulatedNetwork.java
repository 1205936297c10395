package io.srpt.roce.net;

import io.srpt.roce.packet.FlowHeader;
import io.srpt.time.Deadline;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A network in one process, in the virtual time of its loops: it delays each datagram, and loses, repeats and reorders
 * some, all by a seed. The same seed and the same calls give the same run.
 *
 * <p>Threads: the one that drives the loops.
 */
public final class SimulatedNetwork {
    private static final long BASE_DELAY_NANOS = 5_000;
    private static final long REORDER_DELAY_NANOS = 40_000;
    private static final int DEFAULT_RECEIVE_BUFFER_BYTES = 4 << 20;

    private final FaultSpec faults;
    private final SplittableRandom random;
    private final int receiveBufferBytes;
    private final long interruptNanos;
    private final Map<Gid, Port> ports = new HashMap<>();
    private final ArrayDeque<Delivery> idle = new ArrayDeque<>();
    private long sent;
    private long lost;
    private boolean cut;

    /** A network with {@code faults} whose ports have large receive buffers. */
    public SimulatedNetwork(FaultSpec faults) {
        this(faults, DEFAULT_RECEIVE_BUFFER_BYTES, Duration.ZERO);
    }

    /**
     * A network with {@code faults}.
     *
     * @param receiveBufferBytes what its ports say that they hold
     * @param interrupts how long arrivals gather before a port hands them over in one turn of its loop
     */
    public SimulatedNetwork(FaultSpec faults, int receiveBufferBytes, Duration interrupts) {
        this.faults = faults;
        this.receiveBufferBytes = receiveBufferBytes;
        this.interruptNanos = interrupts.toNanos();
        this.random = new SplittableRandom(faults.seed());
    }

    /** A port with the address {@code gid} whose owner lives on {@code loop}. */
    public DatagramPort newPort(Gid gid, RdmaLoop loop) {
        Port port = new Port(gid, loop);
        if (ports.putIfAbsent(gid, port) != null) {
            throw new IllegalArgumentException(gid + " is on this network already");
        }
        return port;
    }

    /** Datagrams that ports sent. */
    public long sent() {
        return sent;
    }

    /** Datagrams that the network lost. */
    public long lost() {
        return lost;
    }

    /** While cut, the network loses everything. */
    public void cut(boolean newCut) {
        cut = newCut;
    }

    private void transmit(Gid from, Datagram datagram) {
        sent++;
        if (cut || happens(faults.loss())) {
            lost++;
            return;
        }
        deliverLater(from, datagram);
        if (happens(faults.duplicate())) {
            deliverLater(from, datagram);
        }
    }

    private void deliverLater(Gid from, Datagram datagram) {
        Port to = ports.get(new Gid(datagram.remoteHigh(), datagram.remoteLow()));
        if (to == null) {
            lost++;
            return;
        }
        long delay = BASE_DELAY_NANOS + faults.delay().toNanos();
        if (happens(faults.reorder())) {
            delay += random.nextLong(REORDER_DELAY_NANOS);
        }
        Delivery delivery = idle.isEmpty() ? new Delivery() : idle.pop();
        delivery.load(to, from, datagram);
        to.loop.schedule(delivery, to.inOrder(to.loop.nanoTime() + delay, delay));
    }

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
    }

    /** A datagram on its way. */
    private final class Delivery extends Deadline {
        private final Datagram datagram = Datagram.allocate(0);
        private @Nullable Port to;

        void load(Port destination, Gid from, Datagram source) {
            to = destination;
            datagram.copyFrom(source).remote(from.high(), from.low(), FlowHeader.ROCE_PORT);
        }

        @Override
        protected void onDeadline() {
            Port destination = to;
            to = null;
            if (destination != null) {
                destination.arrived(this);
            }
        }
    }

    /** One address of the network. */
    private final class Port implements DatagramPort {
        private final Gid gid;
        private final RdmaLoop loop;
        private final Datagram slot = Datagram.allocate(0);
        private final ArrayDeque<Delivery> arrivals = new ArrayDeque<>();
        private final Deadline interrupt = new Deadline() {
            @Override
            protected void onDeadline() {
                handOver();
            }
        };
        private long lastInOrderNanos;
        private @Nullable DatagramReceiver receiver;

        Port(Gid gid, RdmaLoop loop) {
            this.gid = gid;
            this.loop = loop;
        }

        /** Datagrams of equal delay keep their order, as on a cable; each takes the line for a nanosecond. */
        long inOrder(long atNanos, long delay) {
            if (delay > BASE_DELAY_NANOS + faults.delay().toNanos()) {
                return atNanos;
            }
            lastInOrderNanos = Math.max(lastInOrderNanos + 1, atNanos);
            return lastInOrderNanos;
        }

        void arrived(Delivery delivery) {
            arrivals.add(delivery);
            if (interruptNanos == 0) {
                handOver();
            } else if (!interrupt.isArmed()) {
                loop.schedule(interrupt, loop.nanoTime() + interruptNanos);
            }
        }

        private void handOver() {
            for (Delivery next = arrivals.poll(); next != null; next = arrivals.poll()) {
                DatagramReceiver to = receiver;
                if (to != null) {
                    to.onDatagram(next.datagram);
                }
                idle.push(next);
            }
        }

        @Override
        public Gid localGid() {
            return gid;
        }

        @Override
        public void open(DatagramReceiver newReceiver) {
            receiver = newReceiver;
        }

        @Override
        public Datagram claim() {
            return slot.reset();
        }

        @Override
        public void send(Datagram datagram) {
            transmit(gid, datagram);
        }

        @Override
        public void flush() {}

        @Override
        public int receiveBufferBytes() {
            return receiveBufferBytes;
        }

        @Override
        public long sendErrors() {
            return 0;
        }

        @Override
        public void close() {
            receiver = null;
            ports.remove(gid);
        }
    }
}
