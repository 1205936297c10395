package io.srpt.roce.net;

import io.srpt.counter.Counter;
import java.util.SplittableRandom;

/**
 * A port that loses, repeats and reorders the datagrams of the port behind it, in both directions and by a seed: for
 * people who test how their initiator, or ours, lives with a bad network.
 */
public final class FaultyDatagramPort extends ForwardingDatagramPort {
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

    /** Puts {@code faults} in front of {@code port}, which it owns from now on. */
    public FaultyDatagramPort(DatagramPort port, FaultSpec faults) {
        super(port);
        this.faults = faults;
        this.random = new SplittableRandom(faults.seed());
    }

    /** Datagrams that change places are no batch. */
    @Override
    public int identificationOf(Datagram datagram, int length) {
        return 0;
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
        super.send(datagram);
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
        Datagram slot = claim();
        if (slot != null) {
            super.send(slot.copyFrom(copy));
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

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
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
}
