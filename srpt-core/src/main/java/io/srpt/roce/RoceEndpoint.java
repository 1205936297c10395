package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.DatagramReceiver;
import io.srpt.roce.net.DetachedDatagramPort;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.IcrcVerdict;
import io.srpt.roce.packet.Opcode;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.TransportEventListener;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One address of a port: parses what comes to it, finds the queue pair, and sends what queue pairs have at the end of the
 * loop's turn. The address may go away and come back; meanwhile what is sent is lost, and queue pairs live as long as their
 * retries last.
 */
final class RoceEndpoint implements DatagramReceiver, RdmaLoop.TurnEndListener {
    private final RocePort port;
    private final Gid gid;
    private final int gidIndex;
    private final RoceCounters counters;
    private final Icrc icrc = new Icrc();
    private final Bth bth = new Bth();
    /** Addresses that queue pairs send to, by address; and those of them that have something to send. */
    private final Map<Gid, RocePeer> peers = new HashMap<>();

    private final WorkList<RocePeer> sending = new WorkList<>(RocePeer[]::new);
    /** Datagrams go to any address. */
    private final RocePeer anybody = new RocePeer();

    private final WorkList<RoceQueuePair> waitingForReads = new WorkList<>(RoceQueuePair[]::new);
    private DatagramPort datagrams;
    private boolean attached = true;
    private int users;
    private long readLimit;
    private long readsReserved;

    RoceEndpoint(RocePort port, DatagramPort datagrams, int gidIndex) {
        this.port = port;
        this.datagrams = datagrams;
        this.gid = datagrams.localGid();
        this.gidIndex = gidIndex;
        this.counters = port.counters();
        this.readLimit = readLimit(datagrams);
    }

    /** RDMA READ responses come as fast as the peer can send: more than the socket holds would be lost. */
    private static long readLimit(DatagramPort datagrams) {
        return datagrams.receiveBufferBytes() / 2;
    }

    void open() {
        port.loop().addTurnEndListener(this);
        datagrams.open(this);
    }

    void close() {
        port.loop().removeTurnEndListener(this);
        datagrams.flush();
        datagrams.close();
    }

    /** The address is there again. */
    void attach(DatagramPort newDatagrams) {
        datagrams.close();
        datagrams = newDatagrams;
        readLimit = readLimit(newDatagrams);
        attached = true;
        newDatagrams.open(this);
    }

    /** The address is gone. */
    void detach() {
        datagrams.close();
        datagrams = new DetachedDatagramPort(gid);
        attached = false;
    }

    /** Whether the address is there. */
    boolean isAttached() {
        return attached;
    }

    /** A queue pair's path to {@code remote} begins here from now on, until {@link #leave}. */
    RocePeer join(Gid remote) {
        users++;
        RocePeer peer = peers.computeIfAbsent(remote, address -> new RocePeer());
        peer.use();
        return peer;
    }

    void leave(Gid remote, RocePeer peer) {
        users--;
        if (peer.unuse()) {
            peers.remove(remote);
        }
    }

    /** Where datagram queue pairs belong. */
    RocePeer anybody() {
        return anybody;
    }

    /** Whether nobody would miss it. */
    boolean isUnused() {
        return !attached && users == 0;
    }

    Gid gid() {
        return gid;
    }

    int gidIndex() {
        return gidIndex;
    }

    RocePort port() {
        return port;
    }

    RoceCounters counters() {
        return counters;
    }

    @Override
    public void onDatagram(Datagram datagram) {
        int length = datagram.length();
        if (length < Icrc.MIN_PACKET_LENGTH || (length & 3) != 0) {
            counters.drop(DropCause.MALFORMED);
            return;
        }
        bth.wrap(datagram.buffer(), datagram.offset());
        if (bth.version() != 0) {
            counters.drop(DropCause.VERSION);
            return;
        }
        int opcode = bth.opcode();
        if (!isServed(opcode)) {
            counters.drop(DropCause.OPCODE);
            return;
        }
        int headerLength = Opcode.headerLength(opcode);
        int payloadLength = length - Icrc.LENGTH - headerLength - bth.padCount();
        if (payloadLength < 0) {
            counters.drop(DropCause.MALFORMED);
            return;
        }
        if ((bth.partitionKey() & 0x7FFF) != 0x7FFF) {
            counters.drop(DropCause.PARTITION_KEY);
            return;
        }
        RoceQueuePair queuePair = port.findQueuePair(bth.destinationQp());
        if (queuePair == null) {
            counters.drop(DropCause.UNKNOWN_QUEUE_PAIR);
            return;
        }
        DropCause refused = queuePair.admit(this, datagram, opcode);
        if (refused != null) {
            counters.drop(refused);
            if (refused == DropCause.ICRC) {
                port.report(TransportEventListener.Kind.ICRC_ERROR, bth.destinationQp(), length);
            }
            return;
        }
        counters.received(opcode).increment();
        queuePair.onPacket(datagram.buffer(), datagram.offset(), bth, opcode, payloadLength);
    }

    private static boolean isServed(int opcode) {
        int group = Opcode.group(opcode);
        return Opcode.isKnown(opcode) && (group == Opcode.GROUP_RC || group == Opcode.GROUP_UD);
    }

    /** Whether the datagram's ICRC is right for a packet on {@code flow}. */
    boolean isIntact(Datagram datagram, FlowHeader flow) {
        return icrc.verify(datagram.buffer(), datagram.offset(), datagram.length(), flow) == IcrcVerdict.OK;
    }

    /** A slot for a packet, or null when the network takes no more now. */
    @Nullable
    Datagram claim() {
        return datagrams.claim();
    }

    /** Ends the packet of {@code length} bytes, pad included, in a claimed slot with its ICRC and queues it. */
    void send(Datagram datagram, int opcode, int length, FlowHeader flow, Gid remote) {
        datagram.remote(remote.high(), remote.low(), FlowHeader.ROCE_PORT);
        int identification = datagrams.identificationOf(datagram, length + Icrc.LENGTH);
        datagram.identification(identification).length(appendIcrc(datagram, length, flow, identification));
        datagrams.send(datagram);
        counters.sent(opcode).increment();
    }

    private int appendIcrc(Datagram datagram, int length, FlowHeader flow, int identification) {
        ByteBuffer lent = datagram.payload();
        if (lent == null) {
            return icrc.appendTo(datagram.buffer(), 0, length, flow, identification);
        }
        int start = datagram.payloadStart();
        int bytes = datagram.payloadLength();
        return icrc.appendTo(
                datagram.buffer(),
                start,
                lent,
                datagram.payloadIndex(),
                bytes,
                length - start - bytes,
                flow,
                identification);
    }

    /** {@code queuePair} has something to send to {@code peer}: it is asked at the end of this turn. */
    void schedule(RoceQueuePair queuePair, RocePeer peer) {
        if (queuePair.markScheduled(true) && peer.add(queuePair)) {
            sending.add(peer);
        }
    }

    @Override
    public void onTurnEnd() {
        int count = sending.count();
        @Nullable RocePeer[] turn = sending.swap();
        int next = 0;
        try {
            while (next < count) {
                RocePeer peer = turn[next];
                turn[next++] = null;
                if (peer != null) {
                    peer.transmit();
                }
            }
        } finally {
            keep(turn, next, count);
            datagrams.flush();
        }
    }

    /** A bug that one has met costs the others no more than a turn. */
    private void keep(@Nullable RocePeer[] turn, int from, int to) {
        for (int i = from; i < to; i++) {
            RocePeer peer = turn[i];
            turn[i] = null;
            if (peer != null) {
                sending.add(peer);
            }
        }
    }

    @Override
    public void onWritable() {
        // Queue pairs that met a full ring have scheduled themselves; the turn's end asks them.
    }

    /** Reserves room for {@code bytes} of RDMA READ responses; if there is none, the queue pair is scheduled when there is. */
    boolean reserveReads(long bytes, RoceQueuePair queuePair) {
        if (readsReserved > 0 && readsReserved + bytes > readLimit) {
            if (queuePair.markAwaitingReads(true)) {
                waitingForReads.add(queuePair);
            }
            return false;
        }
        readsReserved += bytes;
        return true;
    }

    void releaseReads(long bytes) {
        readsReserved -= bytes;
        assert readsReserved >= 0;
        int count = waitingForReads.count();
        if (bytes > 0 && count > 0) {
            @Nullable RoceQueuePair[] waiting = waitingForReads.swap();
            for (int i = 0; i < count; i++) {
                RoceQueuePair queuePair = waiting[i];
                waiting[i] = null;
                if (queuePair != null) {
                    queuePair.markAwaitingReads(false);
                    queuePair.schedule();
                }
            }
        }
    }
}
