package io.srpt.initiator;

import io.srpt.initiator.SrpSessionListener.CloseReason;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The target's side of one session, played by a test message by message, and what the initiator's listener heard. */
final class ScriptedTarget implements SrpSessionListener {
    final ManualLoop loop = new ManualLoop();
    final FakeDevice device = new FakeDevice(loop);
    final List<Long> events = new ArrayList<>();
    int logins;

    @Nullable
    SrpLoginFailure failure;

    @Nullable
    CloseReason closeReason;

    static SrpSessionConfiguration.Builder configuration() {
        return SrpSessionConfiguration.builder()
                .path(0, new Gid(0, 0xFFFF_7F00_0001L))
                .serviceId(0x0106_15B3L)
                .initiatorPort(0, 0x0200_00FF_FE00_0002L)
                .targetPort(0x0200_00FF_FE00_0001L, 0x0200_00FF_FE00_0001L)
                .queueDepth(4)
                .maxTransferLength(8192);
    }

    SrpSession connect(SrpSessionConfiguration configuration) throws VerbsException {
        return SrpSession.connect(device, configuration, this);
    }

    /** Connects and accepts the login with {@code credits}. */
    SrpSession login(SrpSessionConfiguration configuration, int credits) throws VerbsException {
        SrpSession session = connect(configuration);
        accept(loginResponse(credits, 0x80));
        return session;
    }

    void accept(byte[] privateData) {
        FakeDevice.FakeConnection connection = device.connection();
        connection.queuePair.establish();
        connection.handler.onEstablished(connection, privateData);
        loop.settle();
    }

    static byte[] loginResponse(int credits, int flags) {
        ByteBuffer response = ByteBuffer.allocate(196);
        response.put(0, (byte) 0xC0).putInt(4, credits).putInt(16, 8276).putInt(20, 512);
        response.putShort(24, (short) 6).put(26, (byte) flags);
        return response.array();
    }

    FakeQueuePair queuePair() {
        return device.connection().queuePair;
    }

    /** The next message that the initiator sent. */
    ByteBuffer next() {
        byte[] message = queuePair().sent.poll();
        if (message == null) {
            throw new AssertionError("the initiator sent nothing");
        }
        return ByteBuffer.wrap(message);
    }

    int pending() {
        return queuePair().sent.size();
    }

    void send(ByteBuffer message) {
        queuePair().deliver(message.array());
        loop.settle();
    }

    /** Answers the request with {@code tag}: status GOOD, {@code delta} credits. */
    void answer(long tag, int delta) {
        send(response(tag, delta));
    }

    static ByteBuffer response(long tag, int delta) {
        return ByteBuffer.allocate(36).put(0, (byte) 0xC1).putInt(4, delta).putLong(8, tag);
    }

    static ByteBuffer taskResponse(long tag, int code) {
        ByteBuffer response =
                ByteBuffer.allocate(40).put(0, (byte) 0xC1).putInt(4, 1).putLong(8, tag);
        return response.put(18, (byte) 1).putInt(32, 4).put(39, (byte) code);
    }

    /** The peer's connection manager reports the end of the connection. */
    void disconnected() {
        FakeDevice.FakeConnection connection = device.connection();
        connection.handler.onDisconnected(connection);
        loop.settle();
    }

    boolean hasFreedEverything() {
        return device.openDomains == 0 && device.regions.isEmpty() && loop.attachedQueues() == 0 && queuePair().closed;
    }

    @Override
    public void onLoggedIn(SrpSession session) {
        logins++;
    }

    @Override
    public void onLoginFailed(SrpSession session, SrpLoginFailure why) {
        failure = why;
    }

    @Override
    public void onClosed(SrpSession session, CloseReason reason) {
        closeReason = reason;
    }

    @Override
    public void onAsynchronousEvent(SrpSession session, long lun) {
        events.add(lun);
    }
}
