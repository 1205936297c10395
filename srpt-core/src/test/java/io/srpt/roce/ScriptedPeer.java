package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualLoop;
import io.srpt.roce.net.Datagram;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.DatagramReceiver;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import io.srpt.roce.packet.Aeth;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Deth;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.Reth;
import io.srpt.verbs.Access;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.Gid;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import io.srpt.verbs.WorkRequestOpcode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A peer that can send any packet, facing one of our reliable queue pairs on a simulated network in virtual time. It is
 * built on the packet codecs alone.
 */
final class ScriptedPeer implements DatagramReceiver {
    static final int MTU = 256;
    static final int QPN = 0x000123;
    /** First PSN of what the peer sends, and of what our queue pair sends. */
    static final int PEER_PSN = 0x1000;

    static final int OUR_PSN = 0x2000;
    static final int RECEIVE_BYTES = 2048;

    final VirtualLoop loop = VirtualLoop.create("peer");
    final Gid gid = Gid.parse("fd5a::21");
    final Gid ourGid = Gid.parse("fd5a::1");
    final RoceDevice device;
    final ProtectionDomain domain;
    final QueuePair queuePair;
    final MemoryRegion memory;
    final List<Completion> completions = new ArrayList<>();
    final List<QueuePairEventListener.Event> events = new ArrayList<>();
    final List<Packet> answers = new ArrayList<>();
    private final DatagramPort port;
    private final Icrc icrc = new Icrc();
    private final SendWorkRequest request = new SendWorkRequest(1);
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);

    /** What a completion said. */
    record Completion(long wrId, WorkCompletionStatus status, WorkCompletionOpcode opcode, int bytes) {}

    /** A packet that our queue pair sent. */
    record Packet(int opcode, int psn, boolean ackRequest, byte[] bytes) {
        int syndrome() {
            return new Aeth().wrap(ByteBuffer.wrap(bytes), Bth.LENGTH).syndrome();
        }

        int msn() {
            return new Aeth().wrap(ByteBuffer.wrap(bytes), Bth.LENGTH).msn();
        }

        Reth reth() {
            return new Reth().wrap(ByteBuffer.wrap(bytes), Bth.LENGTH);
        }

        int payloadLength() {
            return bytes.length
                    - Opcode.headerLength(opcode)
                    - Icrc.LENGTH
                    - new Bth().wrap(ByteBuffer.wrap(bytes), 0).padCount();
        }
    }

    ScriptedPeer(int receives) throws VerbsException {
        this(receives, PEER_PSN, OUR_PSN);
    }

    /** With other first PSNs, of what the peer sends and of what our queue pair sends. */
    ScriptedPeer(int receives, int peerPsn, int ourPsn) throws VerbsException {
        SimulatedNetwork network = new SimulatedNetwork(FaultSpec.NONE);
        port = network.newPort(gid, loop);
        port.open(this);
        device = RoceDevice.open(loop, RoceConfiguration.of("ours", 1, 4096), List.of(network.newPort(ourGid, loop)));
        domain = device.allocateProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(loop, 64, this::onCompletion);
        queuePair = domain.createQueuePair(
                QueuePairInit.connected(queue, 16, 16, 1, (ignored, event) -> events.add(event)));
        memory = domain.register(
                ByteBuffer.allocateDirect(1 << 16), Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        queuePair.modifyToInit(QueuePair.InitAttributes.connected(Access.REMOTE_READ | Access.REMOTE_WRITE));
        for (int i = 0; i < receives; i++) {
            postReceive(i);
        }
        queuePair.modifyToRtr(new QueuePair.RtrAttributes(AddressVector.to(0, gid), MTU, QPN, peerPsn, 2, 12));
        queuePair.modifyToRts(new QueuePair.RtsAttributes(ourPsn, 17, 2, 7, 2));
    }

    void postReceive(int id) {
        queuePair.postReceive(receive.reset(id)
                .segment(memory.address() + (long) id * RECEIVE_BYTES, RECEIVE_BYTES, memory.localKey()));
    }

    /** Our queue pair posts {@code length} bytes for the peer's address 0x1000, key 7. */
    void post(WorkRequestOpcode opcode, long id, int length) {
        queuePair.postSend(request.reset(opcode, id)
                .flags(SendWorkRequest.SIGNALED)
                .remote(0x1000, 7)
                .segment(memory.address(), length, memory.localKey()));
        settle();
    }

    private void onCompletion(WorkCompletion completion) {
        completions.add(
                new Completion(completion.wrId(), completion.status(), completion.opcode(), completion.byteLength()));
    }

    // ---- what the peer sends ------------------------------------------------------------------------------------

    /** Bytes of a packet to our queue pair with a right ICRC. */
    byte[] packet(int opcode, int psn, int payloadLength) {
        return packet(opcode, psn, payloadLength, true);
    }

    byte[] packet(int opcode, int psn, int payloadLength, boolean ackRequest) {
        int header = Opcode.headerLength(opcode);
        int pad = -payloadLength & 3;
        ByteBuffer buffer = ByteBuffer.allocate(header + payloadLength + pad + Icrc.LENGTH);
        new Bth()
                .wrap(buffer, 0)
                .put(opcode, false, pad, Bth.DEFAULT_PARTITION_KEY, queuePair.number(), ackRequest, psn);
        for (int i = 0; i < payloadLength; i++) {
            buffer.put(header + i, (byte) (psn + i));
        }
        return buffer.array();
    }

    byte[] rdma(int opcode, int psn, int payloadLength, long address, int key, long length) {
        byte[] packet = packet(opcode, psn, payloadLength);
        new Reth()
                .wrap(ByteBuffer.wrap(packet), Bth.LENGTH)
                .virtualAddress(address)
                .remoteKey(key)
                .dmaLength(length);
        return packet;
    }

    byte[] acknowledge(int psn, int syndrome) {
        byte[] packet = packet(Opcode.RC_ACKNOWLEDGE, psn, 0);
        new Aeth().wrap(ByteBuffer.wrap(packet), Bth.LENGTH).put(syndrome, 1);
        return packet;
    }

    byte[] datagram(int qpn, int qKey) {
        byte[] packet = packet(Opcode.UD_SEND_ONLY, 0, MTU);
        ByteBuffer buffer = ByteBuffer.wrap(packet);
        new Bth().wrap(buffer, 0).destinationQp(qpn);
        new Deth().wrap(buffer, Bth.LENGTH).put(qKey, 1);
        return packet;
    }

    /** Sends with the right ICRC and lets everything happen that follows at once. */
    void send(byte[]... packets) {
        for (byte[] packet : packets) {
            ByteBuffer buffer = ByteBuffer.wrap(packet);
            icrc.appendTo(buffer, 0, packet.length - Icrc.LENGTH, new FlowHeader(gid, ourGid, FlowHeader.ROCE_PORT));
            sendAsIs(packet);
        }
        settle();
    }

    /** Sends the bytes as they are. */
    void sendAsIs(byte[] packet) {
        Datagram slot = port.claim();
        assertThat(slot).isNotNull();
        slot.buffer().put(0, packet);
        slot.length(packet.length).remote(ourGid.high(), ourGid.low(), FlowHeader.ROCE_PORT);
        port.send(slot);
    }

    /** A few microseconds pass: enough for packets, not for timers. */
    void settle() {
        pass(Duration.ofNanos(50_000));
    }

    void pass(Duration time) {
        loop.advance(time.toNanos());
    }

    // ---- what it receives ---------------------------------------------------------------------------------------

    @Override
    public void onDatagram(Datagram datagram) {
        byte[] bytes = new byte[datagram.length()];
        datagram.buffer().get(0, bytes);
        Bth bth = new Bth().wrap(datagram.buffer(), 0);
        if (bth.destinationQp() == QPN) {
            answers.add(new Packet(bth.opcode(), bth.psn(), bth.ackRequest(), bytes));
        }
    }

    @Override
    public void onWritable() {}

    /** The packets received since the last call. */
    List<Packet> takeAnswers() {
        List<Packet> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }
}
