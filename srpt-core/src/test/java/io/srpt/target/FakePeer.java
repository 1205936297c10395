package io.srpt.target;

import io.srpt.srp.BufferFormat;
import io.srpt.srp.CreditResponse;
import io.srpt.srp.DescriptorTable;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.LoginReject;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionRequest;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An initiator by hand: its connection request, its connection, and the units that it sends. */
final class FakePeer implements ConnectionRequest, Connection {
    static final long GUID = 0x5054_00ff_fe5a_0114L;
    static final PortId TARGET = new PortId(GUID, GUID);
    static final PortId INITIATOR = new PortId(0, 0x5054_00ff_fe5a_0115L);
    static final int IMMEDIATE_OFFSET = 68;

    private final FakeRdma device;
    private final byte[] login;
    private final ByteBuffer unit = ByteBuffer.allocate(16 << 10);
    final SrpCommand command = new SrpCommand();

    @Nullable
    FakeQueuePair queuePair;

    @Nullable
    ConnectionHandler handler;

    @Nullable
    LoginResponse response;

    @Nullable
    LoginReject reject;

    @Nullable
    RejectReason rejectReason;

    int responderResources = 4;
    int grantedReads;
    int disconnects;
    boolean closed;
    private boolean established;

    /** What the initiator may send, as it counts it. */
    int credits;

    FakePeer(FakeRdma device, LoginRequest login) {
        this.device = device;
        this.login = login.encode(true);
    }

    static LoginRequest login(int flags) {
        return new LoginRequest(0, 8260, 6, flags, IMMEDIATE_OFFSET, INITIATOR, TARGET);
    }

    /** Asks for a connection to {@code serviceId}. */
    FakePeer request(long serviceId) {
        Objects.requireNonNull(device.services.get(serviceId), "nobody listens").onConnectionRequest(this);
        return this;
    }

    FakeQueuePair wire() {
        return Objects.requireNonNull(queuePair);
    }

    void establish() {
        established = true;
        Objects.requireNonNull(handler).onEstablished(this, new byte[0]);
    }

    /** The peer's DREQ. */
    void hangUp() {
        established = false;
        wire().modifyToError();
        Objects.requireNonNull(handler).onDisconnected(this);
    }

    // Units. Each takes its own buffer, so they can be sent in any order.

    SrpCommand startCommand(long tag, String cdb) {
        Arrays.fill(unit.array(), (byte) 0xEE);
        return command.wrap(unit, 0).initialise().tag(tag).cdb(HexFormat.of().parseHex(cdb.replace(" ", "")));
    }

    void send(int length) {
        credits--;
        wire().deliver(Arrays.copyOf(unit.array(), length));
    }

    void sendRaw(byte[] bytes) {
        wire().deliver(bytes);
    }

    void sendNoData(long tag, String cdb) {
        startCommand(tag, cdb);
        send(SrpCommand.LENGTH);
    }

    /** Data-in into the peer's memory from {@code at} on. */
    void sendRead(long tag, String cdb, int at, int length) {
        startCommand(tag, cdb).dataInFormat(BufferFormat.DIRECT);
        send(command.directDescriptor(FakeQueuePair.PEER_BASE + at, 1, length));
    }

    /** Data-out from the peer's memory from {@code at} on. */
    void sendWrite(long tag, String cdb, int at, int length) {
        startCommand(tag, cdb).dataOutFormat(BufferFormat.DIRECT);
        send(command.directDescriptor(FakeQueuePair.PEER_BASE + at, 1, length));
    }

    void sendImmediate(long tag, String cdb, byte[] data) {
        startCommand(tag, cdb).dataOutFormat(BufferFormat.IMMEDIATE);
        int length = IMMEDIATE_OFFSET + data.length;
        unit.putInt(command.descriptorOffset(), data.length);
        unit.put(IMMEDIATE_OFFSET, data);
        send(length);
    }

    /** An indirect command; piece i has {@code lengths[i]} bytes, from {@code at + i * stride} on; {@code inUnit} are sent. */
    void sendIndirect(long tag, String cdb, boolean write, int at, int stride, int total, int inUnit, int... lengths) {
        startCommand(tag, cdb);
        if (write) {
            command.dataOutFormat(BufferFormat.INDIRECT).dataOutCount(inUnit);
        } else {
            command.dataInFormat(BufferFormat.INDIRECT).dataInCount(inUnit);
        }
        int tableAt = wire().peerMemory.capacity() - lengths.length * DescriptorTable.DESCRIPTOR_LENGTH;
        command.indirectDescriptor(FakeQueuePair.PEER_BASE + tableAt, 1, lengths.length * 16, total);
        DescriptorTable whole = new DescriptorTable().wrap(wire().peerMemory, tableAt, lengths.length);
        DescriptorTable part = command.tableInUnit(inUnit);
        for (int i = 0; i < lengths.length; i++) {
            long address = FakeQueuePair.PEER_BASE + at + (long) i * stride;
            whole.descriptor(i, address, 1, lengths[i]);
            if (i < inUnit) {
                part.descriptor(i, address, 1, lengths[i]);
            }
        }
        send(command.indirectUnitLength(inUnit));
    }

    void sendTaskManagement(long tag, int function, long lun, long taskTag) {
        sendTaskManagement(tag, function, lun, taskTag, 0);
    }

    void sendTaskManagement(long tag, int function, long lun, long taskTag, int solicited) {
        new TaskManagementRequest()
                .wrap(unit, 0)
                .initialise()
                .tag(tag)
                .solicitedNotification(solicited)
                .function(function)
                .lun(lun)
                .taskTag(taskTag);
        send(TaskManagementRequest.LENGTH);
    }

    /** Sends {@code bytes} as the solicited notification bits of the unit that was started, then as {@link #send}. */
    void sendSoliciting(int bits, int length) {
        unit.put(1, (byte) bits);
        send(length);
    }

    /** Takes the next unit, which must be a request of the target of this type, with its credits, and answers it. */
    ByteBuffer answerRequest(int type) {
        ByteBuffer request = takeRequest(type);
        answer(request);
        return request;
    }

    /** Answers a request of the target. */
    void answer(ByteBuffer request) {
        ByteBuffer answer = ByteBuffer.allocate(CreditResponse.LENGTH);
        boolean forCredits = (request.get(0) & 0xFF) == InformationUnitType.CRED_REQ;
        answer.put(0, (byte) (forCredits ? InformationUnitType.CRED_RSP : InformationUnitType.AER_RSP));
        sendRaw(answer.putLong(8, request.getLong(8)).array());
    }

    /** Takes the next unit, which must be a request of the target of this type, with its credits. */
    ByteBuffer takeRequest(int type) {
        byte[] bytes = wire().sent.remove();
        if ((bytes[0] & 0xFF) != type) {
            throw new AssertionError("a unit of type 0x" + Integer.toHexString(bytes[0] & 0xFF));
        }
        ByteBuffer request = ByteBuffer.wrap(bytes);
        if (type != InformationUnitType.T_LOGOUT) {
            credits += request.getInt(4);
        }
        return request;
    }

    /** The next response that came, with its credits taken; fails if there is none. */
    SrpResponse nextResponse() {
        byte[] bytes = wire().sent.remove();
        SrpResponse next = new SrpResponse().wrap(ByteBuffer.wrap(bytes), 0);
        if (!next.isValid(bytes.length)) {
            throw new AssertionError("a response of " + bytes.length + " bytes claims more");
        }
        credits += next.requestLimitDelta();
        return next;
    }

    // ConnectionRequest

    @Override
    public RdmaPort port() {
        return device;
    }

    @Override
    public long serviceId() {
        return 0;
    }

    @Override
    public boolean isRdmaCm() {
        return true;
    }

    @Override
    public Gid localGid() {
        return device.gids().getFirst();
    }

    @Override
    public Gid remoteGid() {
        return Gid.ofIpv4(0xC0000215);
    }

    @Override
    public InetAddress remoteAddress() {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 21});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long remoteNodeGuid() {
        return INITIATOR.guid();
    }

    @Override
    public int remoteQueuePair() {
        return 17;
    }

    @Override
    public int pkey() {
        return 0xFFFF;
    }

    @Override
    public byte[] privateData() {
        return login.clone();
    }

    @Override
    public int responderResources() {
        return responderResources;
    }

    @Override
    public int initiatorDepth() {
        return 0;
    }

    @Override
    public Connection accept(
            QueuePair pair,
            int responder,
            int initiatorDepth,
            byte[] privateData,
            Runnable beforeReply,
            ConnectionHandler newHandler)
            throws VerbsException {
        FakeQueuePair fake = (FakeQueuePair) pair;
        device.allocate("move to INIT");
        fake.modifyToInit(QueuePair.InitAttributes.connected(0));
        beforeReply.run();
        device.allocate("move to RTR");
        fake.ready();
        queuePair = fake;
        handler = newHandler;
        grantedReads = initiatorDepth;
        LoginResponse decoded = Objects.requireNonNull(LoginResponse.decode(privateData));
        response = decoded;
        credits = decoded.requestLimitDelta();
        return this;
    }

    @Override
    public void reject(RejectReason reason, byte[] privateData) {
        rejectReason = reason;
        reject = LoginReject.decode(privateData);
    }

    // Connection

    @Override
    public QueuePair queuePair() {
        return wire();
    }

    @Override
    public boolean isEstablished() {
        return established;
    }

    @Override
    public void disconnect() {
        established = false;
        disconnects++;
        wire().modifyToError();
    }

    @Override
    public void close() {
        if (closed) {
            throw new IllegalStateException("closed twice");
        }
        closed = true;
    }
}
