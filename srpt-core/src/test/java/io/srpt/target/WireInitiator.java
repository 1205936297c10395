package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.mad.MadHeader;
import io.srpt.roce.cm.CmMads;
import io.srpt.roce.net.Datagram;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.DatagramReceiver;
import io.srpt.roce.packet.Aeth;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Deth;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.IcrcVerdict;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.Psn;
import io.srpt.roce.packet.Reth;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * An initiator that can send any packet, built on the packet codecs alone: messages of the connection manager to QP1, and
 * packets of one reliable connection. By itself it acknowledges, takes what is written to its memory and answers READs, as
 * long as nobody tells it not to. It never sends again.
 */
final class WireInitiator implements DatagramReceiver {
    static final long MEMORY = 0xffff_8880_0000_0000L;
    static final int KEY = 0x1234;
    private static final int MAD = Bth.LENGTH + Deth.LENGTH;
    private static final long QUEUE_KEY = 0x8001_0000L;

    final Gid gid;
    final Gid target;
    private final long adapter;
    final ByteBuffer memory = ByteBuffer.allocate(4 << 20);

    /** Messages of the connection manager that came, oldest first. */
    final List<byte[]> mads = new ArrayList<>();

    /** Packets of the connection that came since they were taken. */
    final List<Packet> packets = new ArrayList<>();

    /** Whole units that came. */
    final ArrayDeque<byte[]> units = new ArrayDeque<>();

    int id = 0x100;
    int queuePair = 0x111;
    int firstPsn = 0x4000;
    int mtuCode = 3;
    int retryCount = 7;
    int ackTimeout = 17;
    int reads = 4;

    /** What of the protocol it does by itself. */
    boolean acknowledges = true;

    boolean answersReads = true;
    boolean recordsPackets;

    /** READ requests that were not answered yet, and the most there ever were. */
    final ArrayDeque<ReadRequest> openReads = new ArrayDeque<>();

    int mostOpenReads;

    int peerId;
    int peerQueuePair;
    int credits;
    int responses;
    int wrongIcrcs;
    private int sendPsn;
    private int expectedPsn;
    private int messages;
    private long writeAddress;
    private final WireTarget owner;
    private final DatagramPort port;
    private final Icrc icrc = new Icrc();
    private final ByteBuffer incoming = ByteBuffer.allocate(16 << 10);
    private final ByteBuffer unit = ByteBuffer.allocate(16 << 10);
    private final SrpCommand command = new SrpCommand();

    /** A packet of the connection. */
    record Packet(int opcode, int psn, int queuePair, byte[] bytes) {
        int syndrome() {
            return new Aeth().wrap(ByteBuffer.wrap(bytes), Bth.LENGTH).syndrome();
        }

        Reth reth() {
            return new Reth().wrap(ByteBuffer.wrap(bytes), Bth.LENGTH);
        }

        int payloadLength() {
            int pad = new Bth().wrap(ByteBuffer.wrap(bytes), 0).padCount();
            return bytes.length - Opcode.headerLength(opcode) - Icrc.LENGTH - pad;
        }
    }

    /** A READ that the target asked for. */
    record ReadRequest(int psn, int offset, int length) {}

    WireInitiator(WireTarget owner, Gid gid, Gid target) {
        this.owner = owner;
        this.gid = gid;
        this.target = target;
        adapter = 0x15 + owner.nextInitiator();
        port = owner.network.newPort(gid, owner.loop);
        port.open(this);
    }

    int mtu() {
        return 128 << mtuCode;
    }

    // ---- connection manager -------------------------------------------------------------------------------------

    CmMads.Req request(long serviceId, byte[] privateData) {
        return new CmMads.Req(
                id,
                adapter,
                serviceId,
                gid,
                target,
                queuePair,
                firstPsn,
                mtuCode,
                retryCount,
                ackTimeout,
                reads,
                privateData);
    }

    /** Sends REQ with this login, and waits for what comes back. */
    WireInitiator ask(LoginRequest login) {
        sendMad(CmMads.req(request(TargetFixture.RDMA_CM_SERVICE, login.encode(true))));
        owner.settle();
        return this;
    }

    /** Logs in, up to RTU and past the unit attention. */
    WireInitiator logIn(LoginRequest login) {
        ask(login);
        takeRep();
        sendMad(CmMads.answer(CmMads.RTU, id, peerId));
        sendNoData(0, TargetFixture.TEST_UNIT_READY);
        owner.settle();
        nextResponse();
        packets.clear();
        return this;
    }

    /** Reads the last REP, which must be there. */
    void takeRep() {
        byte[] rep = lastMad(CmMads.REP);
        peerId = CmMads.localId(rep);
        peerQueuePair = CmMads.repQueuePair(rep);
        sendPsn = CmMads.repPsn(rep);
        expectedPsn = firstPsn;
        messages = 0;
        credits = 128;
    }

    void disconnect() {
        sendMad(CmMads.dreq(id, peerId, peerQueuePair));
        owner.settle();
    }

    byte[] lastMad(int attribute) {
        return mads(attribute).getLast();
    }

    List<byte[]> mads(int attribute) {
        return mads.stream().filter(mad -> CmMads.attribute(mad) == attribute).toList();
    }

    void sendMad(byte[] mad) {
        byte[] packet = new byte[MAD + MadHeader.MAD_LENGTH + Icrc.LENGTH];
        ByteBuffer buffer = ByteBuffer.wrap(packet);
        new Bth().wrap(buffer, 0).put(Opcode.UD_SEND_ONLY, false, 0, Bth.DEFAULT_PARTITION_KEY, 1, true, 1);
        new Deth().wrap(buffer, Bth.LENGTH).put((int) QUEUE_KEY, 1);
        buffer.put(MAD, mad);
        transmit(packet);
    }

    // ---- packets of the connection ------------------------------------------------------------------------------

    /** A packet with the next PSN is {@code packet(opcode, nextPsn(), …)}. */
    int nextPsn() {
        int psn = sendPsn;
        sendPsn = Psn.next(sendPsn);
        return psn;
    }

    byte[] packet(int opcode, int psn, byte[] payload, boolean ackRequest) {
        int header = Opcode.headerLength(opcode);
        int pad = -payload.length & 3;
        ByteBuffer buffer = ByteBuffer.allocate(header + payload.length + pad + Icrc.LENGTH);
        new Bth().wrap(buffer, 0).put(opcode, false, pad, Bth.DEFAULT_PARTITION_KEY, peerQueuePair, ackRequest, psn);
        buffer.put(header, payload);
        return buffer.array();
    }

    byte[] rdma(int opcode, int psn, byte[] payload, long address, int key, int length) {
        byte[] packet = packet(opcode, psn, payload, true);
        new Reth()
                .wrap(ByteBuffer.wrap(packet), Bth.LENGTH)
                .virtualAddress(address)
                .remoteKey(key)
                .dmaLength(length);
        return packet;
    }

    byte[] acknowledge(int psn, int syndrome) {
        byte[] packet = packet(Opcode.RC_ACKNOWLEDGE, psn, new byte[0], false);
        new Aeth().wrap(ByteBuffer.wrap(packet), Bth.LENGTH).put(syndrome, messages);
        return packet;
    }

    /** Sends with a right ICRC. */
    void transmit(byte[] packet) {
        ByteBuffer buffer = ByteBuffer.wrap(packet);
        icrc.appendTo(buffer, 0, packet.length - Icrc.LENGTH, new FlowHeader(gid, target, FlowHeader.ROCE_PORT));
        Datagram slot = port.claim();
        assertThat(slot).isNotNull();
        slot.buffer().put(0, packet);
        slot.length(packet.length).remote(target.high(), target.low(), FlowHeader.ROCE_PORT);
        port.send(slot);
    }

    /** Answers the oldest READ. */
    void answerRead() {
        ReadRequest read = openReads.remove();
        int psn = read.psn;
        messages++;
        for (int at = 0; at < Math.max(read.length, 1); at += mtu()) {
            boolean first = at == 0;
            boolean last = at + mtu() >= read.length;
            int opcode = first && last
                    ? Opcode.RC_READ_RESPONSE_ONLY
                    : first
                            ? Opcode.RC_READ_RESPONSE_FIRST
                            : last ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
            byte[] payload = new byte[Math.min(mtu(), read.length - at)];
            memory.get(read.offset + at, payload);
            byte[] packet = packet(opcode, psn, payload, false);
            if (Opcode.hasAeth(opcode)) {
                new Aeth().wrap(ByteBuffer.wrap(packet), Bth.LENGTH).put(AethSyndrome.ACK_NO_CREDITS, messages);
            }
            transmit(packet);
            psn = Psn.next(psn);
        }
    }

    // ---- units --------------------------------------------------------------------------------------------------

    SrpCommand startCommand(long tag, String cdb) {
        Arrays.fill(unit.array(), (byte) 0xEE);
        return command.wrap(unit, 0).initialise().tag(tag).cdb(HexFormat.of().parseHex(cdb.replace(" ", "")));
    }

    /** Sends the first {@code length} bytes of the unit that was started. */
    void send(int length) {
        credits--;
        sendUnit(Arrays.copyOf(unit.array(), length));
    }

    /** Sends a message in packets of the MTU. */
    void sendUnit(byte[] bytes) {
        for (int at = 0; at < Math.max(bytes.length, 1); at += mtu()) {
            boolean first = at == 0;
            boolean last = at + mtu() >= bytes.length;
            int opcode = first && last
                    ? Opcode.RC_SEND_ONLY
                    : first ? Opcode.RC_SEND_FIRST : last ? Opcode.RC_SEND_LAST : Opcode.RC_SEND_MIDDLE;
            byte[] payload = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + mtu()));
            transmit(packet(opcode, nextPsn(), payload, last));
        }
    }

    void sendNoData(long tag, String cdb) {
        startCommand(tag, cdb);
        send(SrpCommand.LENGTH);
    }

    void sendRead(long tag, String cdb, int at, int length) {
        startCommand(tag, cdb).dataInFormat(io.srpt.srp.BufferFormat.DIRECT);
        send(command.directDescriptor(MEMORY + at, KEY, length));
    }

    void sendWrite(long tag, String cdb, int at, int length) {
        startCommand(tag, cdb).dataOutFormat(io.srpt.srp.BufferFormat.DIRECT);
        send(command.directDescriptor(MEMORY + at, KEY, length));
    }

    void sendImmediate(long tag, String cdb, byte[] data) {
        startCommand(tag, cdb).dataOutFormat(io.srpt.srp.BufferFormat.IMMEDIATE);
        unit.putInt(command.descriptorOffset(), data.length);
        unit.put(FakePeer.IMMEDIATE_OFFSET, data);
        send(FakePeer.IMMEDIATE_OFFSET + data.length);
    }

    void sendTaskManagement(long tag, int function, long taskTag) {
        new TaskManagementRequest()
                .wrap(unit, 0)
                .initialise()
                .tag(tag)
                .function(function)
                .lun(0)
                .taskTag(taskTag);
        send(TaskManagementRequest.LENGTH);
    }

    SrpResponse nextResponse() {
        byte[] bytes = units.remove();
        SrpResponse next = new SrpResponse().wrap(ByteBuffer.wrap(bytes), 0);
        assertThat(next.isValid(bytes.length)).isTrue();
        return next;
    }

    // ---- what comes ---------------------------------------------------------------------------------------------

    @Override
    public void onDatagram(Datagram datagram) {
        FlowHeader flow = new FlowHeader(target, gid, FlowHeader.ROCE_PORT);
        assertThat(datagram.isFrom(target))
                .as("from the address that was asked")
                .isTrue();
        byte[] bytes = new byte[datagram.length()];
        datagram.buffer().get(0, bytes);
        if (icrc.verify(ByteBuffer.wrap(bytes), 0, bytes.length, flow) != IcrcVerdict.OK) {
            wrongIcrcs++;
        }
        Bth bth = new Bth().wrap(ByteBuffer.wrap(bytes), 0);
        if (bth.destinationQp() == 1) {
            mads.add(Arrays.copyOfRange(bytes, MAD, MAD + MadHeader.MAD_LENGTH));
            return;
        }
        Packet packet = new Packet(bth.opcode(), bth.psn(), bth.destinationQp(), bytes);
        if (recordsPackets || Opcode.isResponse(packet.opcode)) {
            packets.add(packet);
        }
        if (Opcode.isRequest(packet.opcode) && packet.psn == expectedPsn && packet.queuePair == queuePair) {
            execute(packet, bth.ackRequest());
        }
    }

    private void execute(Packet packet, boolean ackRequest) {
        int header = Opcode.headerLength(packet.opcode);
        int length = packet.payloadLength();
        expectedPsn = Psn.next(expectedPsn);
        if (packet.opcode == Opcode.RC_READ_REQUEST) {
            Reth reth = packet.reth();
            assertThat(reth.remoteKey()).isEqualTo(KEY);
            int span = Math.max(1, Math.ceilDiv((int) reth.dmaLength(), mtu()));
            expectedPsn = Psn.add(packet.psn, span);
            openReads.add(new ReadRequest(packet.psn, (int) (reth.virtualAddress() - MEMORY), (int) reth.dmaLength()));
            mostOpenReads = Math.max(mostOpenReads, openReads.size());
            if (answersReads) {
                answerRead();
            }
            return;
        }
        if (Opcode.isWrite(packet.opcode)) {
            if (Opcode.hasReth(packet.opcode)) {
                writeAddress = packet.reth().virtualAddress();
            }
            if (length > 0) {
                memory.put((int) (writeAddress - MEMORY), packet.bytes, header, length);
                writeAddress += length;
            }
        } else {
            if (Opcode.startsMessage(packet.opcode)) {
                incoming.clear();
            }
            incoming.put(packet.bytes, header, length);
            if (Opcode.endsMessage(packet.opcode)) {
                onUnit(Arrays.copyOf(incoming.array(), incoming.position()));
            }
        }
        if (Opcode.endsMessage(packet.opcode)) {
            messages++;
        }
        if (ackRequest && acknowledges) {
            acknowledgeAll();
        }
    }

    private void onUnit(byte[] bytes) {
        units.add(bytes);
        responses++;
        credits += ByteBuffer.wrap(bytes).getInt(4);
    }

    /** Acknowledges all that came. */
    void acknowledgeAll() {
        transmit(acknowledge(Psn.previous(expectedPsn), AethSyndrome.ACK_NO_CREDITS));
    }

    @Override
    public void onWritable() {}
}
