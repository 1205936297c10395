package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.PathMtu;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A reliable connection: a {@link Requester} for what we ask of the peer and a {@link Responder} for what it asks of us. */
final class ReliableQueuePair extends RoceQueuePair {
    private static final long MAX_MESSAGE_BYTES = 1L << 30;
    /** PSNs of one message must stay well inside the window of 2^23. */
    private static final int MAX_MESSAGE_PACKETS = 1 << 21;

    private final Requester requester;
    private final Responder responder;
    private @Nullable RocePath path;
    private PathMtu mtu = PathMtu.MTU_256;
    private int remoteQueuePair;
    private int remoteAccess;
    private boolean communicationEstablished;

    ReliableQueuePair(RocePort port, RoceProtectionDomain domain, QueuePairInit init, int number) {
        super(port, domain, init, number);
        requester = new Requester(this);
        responder = new Responder(this);
    }

    @Override
    public void modifyToInit(InitAttributes attributes) throws VerbsException {
        require(QueuePairState.RESET);
        remoteAccess = attributes.access();
        enter(QueuePairState.INIT);
    }

    @Override
    public void modifyToRtr(RtrAttributes attributes) throws VerbsException {
        require(QueuePairState.INIT);
        PathMtu wanted = PathMtu.ofBytes(attributes.pathMtu());
        if (wanted == null) {
            throw new VerbsException("path MTU " + attributes.pathMtu() + " is not one of 256, 512, 1024, 2048, 4096");
        }
        mtu = wanted;
        remoteQueuePair = attributes.remoteQueuePair();
        path = new RocePath(
                port().endpoint(attributes.path().sourceGidIndex()),
                attributes.path().destination());
        responder.start(attributes.receivePsn(), attributes.maxInboundReads(), attributes.minRnrTimer());
        enter(QueuePairState.RTR);
    }

    @Override
    public void modifyToRts(RtsAttributes attributes) throws VerbsException {
        require(QueuePairState.RTR);
        requester.start(attributes);
        enter(QueuePairState.RTS);
    }

    @Override
    @Nullable
    DropCause admit(RoceEndpoint endpoint, Datagram datagram, int opcode) {
        if (Opcode.group(opcode) != Opcode.GROUP_RC) {
            return DropCause.WRONG_SERVICE;
        }
        RocePath known = path;
        if (known == null || (state() != QueuePairState.RTS && state() != QueuePairState.RTR)) {
            return DropCause.WRONG_STATE;
        }
        if (known.endpoint() != endpoint || !datagram.isFrom(known.remote())) {
            return DropCause.WRONG_SOURCE;
        }
        return endpoint.isIntact(datagram, known.inbound(datagram.remotePort())) ? null : DropCause.ICRC;
    }

    @Override
    void onPacket(ByteBuffer buffer, int packet, Bth bth, int opcode, int payloadLength) {
        if (Opcode.isResponse(opcode)) {
            if (state() == QueuePairState.RTS) {
                requester.onResponse(buffer, packet, bth, opcode, payloadLength);
            }
            return;
        }
        if (!communicationEstablished) {
            communicationEstablished = true;
            port().onCommunicationEstablished(this);
            raise(QueuePairEventListener.Event.COMMUNICATION_ESTABLISHED);
            if (state() == QueuePairState.ERR) {
                return;
            }
        }
        responder.onRequest(buffer, packet, bth, opcode, payloadLength);
    }

    @Override
    public void transmit(SendPass pass) {
        if (state() != QueuePairState.RTS && state() != QueuePairState.RTR) {
            return;
        }
        boolean taken = switch (pass) {
            case DATA -> responder.answerReads() && request(pass);
            case READS, SENDS -> request(pass);
            case ACKNOWLEDGEMENTS -> responder.acknowledge();
        };
        if (!taken) {
            schedule();
        }
    }

    private boolean request(SendPass pass) {
        return state() != QueuePairState.RTS || requester.transmit(pass);
    }

    @Override
    public void schedule() {
        RocePath known = path();
        known.endpoint().schedule(this, known.peer());
    }

    @Override
    void onPosted(SendQueue.Element element) {
        requester.onPosted(element);
    }

    @Override
    long maxMessageBytes() {
        return Math.min(MAX_MESSAGE_BYTES, (long) MAX_MESSAGE_PACKETS * mtu.bytes());
    }

    @Override
    void stop() {
        requester.stop();
        responder.stop();
    }

    @Override
    void flushPartialReceive() {
        responder.flush();
    }

    @Override
    void onClosed() {
        if (path != null) {
            path.close();
        }
    }

    RocePath path() {
        RocePath known = path;
        if (known == null) {
            throw new IllegalStateException(this + " has no path");
        }
        return known;
    }

    PathMtu mtu() {
        return mtu;
    }

    int remoteQueuePair() {
        return remoteQueuePair;
    }

    /** Whether the peer was given the {@link io.srpt.verbs.Access} right {@code right} on this queue pair. */
    boolean grants(int right) {
        return (remoteAccess & right) == right;
    }
}
