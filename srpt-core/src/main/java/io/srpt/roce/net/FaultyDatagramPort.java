package io.srpt.roce.net;

import io.srpt.counter.Counter;
import io.srpt.verbs.Gid;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A port that loses, repeats and reorders the datagrams of the port behind it, in both directions and by a seed: for
 * people who test how their initiator, or ours, lives with a bad network.
 */
public final class FaultyDatagramPort implements DatagramPort, DatagramReceiver {
    private final DatagramPort port;
    private final FaultSpec faults;
    private final SplittableRandom random;
    private final Datagram heldOutbound = Datagram.allocate(0);
    private final Datagram heldInbound = Datagram.allocate(0);
    private final Datagram scratch = Datagram.allocate(0);
    private final Counter lost = new Counter();
    private final Counter duplicated = new Counter();
    private final Counter reordered = new Counter();
    private boolean outboundHeld;
    private boolean inboundHeld;
    private @Nullable DatagramReceiver receiver;

    /** Puts {@code faults} in front of {@code port}, which it owns from now on. */
    public FaultyDatagramPort(DatagramPort port, FaultSpec faults) {
        this.port = port;
        this.faults = faults;
        this.random = new SplittableRandom(faults.seed());
    }

    @Override
    public Gid localGid() {
        return port.localGid();
    }

    @Override
    public void open(DatagramReceiver newReceiver) {
        receiver = newReceiver;
        port.open(this);
    }

    @Override
    public @Nullable Datagram claim() {
        return port.claim();
    }

    /** A lost datagram is simply not sent: its slot is claimed again by the next. */
    @Override
    public void send(Datagram datagram) {
        if (happens(faults.loss())) {
            lost.increment();
            return;
        }
        if (!outboundHeld && happens(faults.reorder())) {
            reordered.increment();
            heldOutbound.copyFrom(datagram);
            outboundHeld = true;
            return;
        }
        boolean twice = happens(faults.duplicate());
        if (twice) {
            scratch.copyFrom(datagram);
        }
        port.send(datagram);
        if (twice) {
            duplicated.increment();
            sendCopy(scratch);
        }
        if (outboundHeld) {
            outboundHeld = false;
            sendCopy(heldOutbound);
        }
    }

    private void sendCopy(Datagram copy) {
        Datagram slot = port.claim();
        if (slot != null) {
            port.send(slot.copyFrom(copy));
        }
    }

    @Override
    public void onDatagram(Datagram datagram) {
        if (happens(faults.loss())) {
            lost.increment();
            return;
        }
        if (!inboundHeld && happens(faults.reorder())) {
            reordered.increment();
            heldInbound.copyFrom(datagram);
            inboundHeld = true;
            return;
        }
        boolean twice = happens(faults.duplicate());
        deliver(datagram);
        if (twice) {
            duplicated.increment();
            deliver(datagram);
        }
        if (inboundHeld) {
            inboundHeld = false;
            deliver(heldInbound);
        }
    }

    private void deliver(Datagram datagram) {
        DatagramReceiver to = receiver;
        if (to != null) {
            to.onDatagram(datagram);
        }
    }

    @Override
    public void onWritable() {
        DatagramReceiver to = receiver;
        if (to != null) {
            to.onWritable();
        }
    }

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
    }

    @Override
    public void flush() {
        port.flush();
    }

    @Override
    public int receiveBufferBytes() {
        return port.receiveBufferBytes();
    }

    @Override
    public long sendErrors() {
        return port.sendErrors();
    }

    /** Datagrams lost on purpose. */
    public Counter lost() {
        return lost;
    }

    /** Datagrams repeated on purpose. */
    public Counter duplicated() {
        return duplicated;
    }

    /** Datagrams held back on purpose. */
    public Counter reordered() {
        return reordered;
    }

    @Override
    public void close() {
        port.close();
    }
}
