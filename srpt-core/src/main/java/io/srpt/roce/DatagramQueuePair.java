package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Deth;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Opcode;
import io.srpt.verbs.Gid;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import io.srpt.verbs.WorkRequestOpcode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An unreliable datagram queue pair, QP1 included. A send is done when it is on the wire. A received datagram is preceded by
 * 40 bytes of global route header:
 *
 * <pre>
 *   0 version, class, flow (4) | 4 payload length (2) | 6 next header 1B | 7 hop limit | 8 source GID (16) | 24 destination GID
 * </pre>
 */
final class DatagramQueuePair extends RoceQueuePair {
    static final int GRH_LENGTH = 40;
    /** The well-known Q_Key of QP1. */
    static final int GENERAL_SERVICES_QKEY = 0x8001_0000;

    private static final int IBA_TRANSPORT = 0x1B;
    private static final int MAX_PAYLOAD = 4096;

    private final ByteBuffer grh = ByteBuffer.allocate(GRH_LENGTH);
    private final Bth bth = new Bth();
    private final Deth deth = new Deth();
    private final FlowHeader flow = new FlowHeader(Gid.ZERO, Gid.ZERO, FlowHeader.ROCE_PORT);
    private @Nullable RoceEndpoint arrivedAt;
    private Gid lastSource = Gid.ZERO;
    private int qKey;
    private int nextPsn;

    DatagramQueuePair(RocePort port, RoceProtectionDomain domain, QueuePairInit init, int number) {
        super(port, domain, init, number);
    }

    @Override
    public void modifyToInit(InitAttributes attributes) throws VerbsException {
        require(QueuePairState.RESET);
        qKey = attributes.qKey();
        enter(QueuePairState.INIT);
    }

    @Override
    public void modifyToRtr(RtrAttributes attributes) throws VerbsException {
        require(QueuePairState.INIT);
        enter(QueuePairState.RTR);
    }

    @Override
    public void modifyToRts(RtsAttributes attributes) throws VerbsException {
        if (state() != QueuePairState.SQE) {
            require(QueuePairState.RTR);
        }
        nextPsn = attributes.sendPsn();
        enter(QueuePairState.RTS);
    }

    @Override
    @Nullable
    DropCause admit(RoceEndpoint endpoint, Datagram datagram, int opcode) {
        if (Opcode.group(opcode) != Opcode.GROUP_UD) {
            return DropCause.WRONG_SERVICE;
        }
        if (state() != QueuePairState.RTR && state() != QueuePairState.RTS && state() != QueuePairState.SQE) {
            return DropCause.WRONG_STATE;
        }
        if (deth.wrap(datagram.buffer(), datagram.offset() + Bth.LENGTH).queueKey() != qKey) {
            return DropCause.QUEUE_KEY;
        }
        if (!datagram.isFrom(lastSource)) {
            lastSource = new Gid(datagram.remoteHigh(), datagram.remoteLow());
        }
        arrivedAt = endpoint;
        flow.set(lastSource, endpoint.gid(), datagram.remotePort(), FlowHeader.ROCE_PORT);
        return endpoint.isIntact(datagram, flow) ? null : DropCause.ICRC;
    }

    @Override
    void onPacket(ByteBuffer buffer, int packet, Bth ignored, int opcode, int payloadLength) {
        RoceEndpoint endpoint = arrivedAt;
        ReceiveQueue.Element element = receives().take();
        if (element == null || endpoint == null) {
            counters().drop(DropCause.NO_RECEIVE);
            return;
        }
        if (element.segments().byteLength() < GRH_LENGTH + payloadLength) {
            counters().drop(DropCause.NO_RECEIVE);
            completeReceive(element, WorkCompletionStatus.LOCAL_LENGTH_ERROR, WorkCompletionOpcode.RECEIVE);
            return;
        }
        int sourceQueuePair = deth.wrap(buffer, packet + Bth.LENGTH).sourceQp();
        fillRouteHeader(endpoint, payloadLength);
        if (!element.segments().scatter(0, GRH_LENGTH, grh, 0)
                || !element.segments()
                        .scatter(GRH_LENGTH, payloadLength, buffer, packet + Opcode.headerLength(opcode))) {
            completeReceive(element, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, WorkCompletionOpcode.RECEIVE);
            return;
        }
        RoceCompletion completion =
                completeReceive(element, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE);
        completion
                .byteLength(GRH_LENGTH + payloadLength)
                .source(sourceQueuePair, lastSource.high(), lastSource.low(), endpoint.gidIndex());
        if (Opcode.hasImm(opcode)) {
            completion.immediate(buffer.getInt(packet + Opcode.immediateOffset(opcode)));
        }
    }

    private void fillRouteHeader(RoceEndpoint endpoint, int payloadLength) {
        grh.putInt(0, 0x6000_0000);
        grh.putShort(4, (short) payloadLength);
        grh.put(6, (byte) IBA_TRANSPORT);
        grh.put(7, (byte) 64);
        lastSource.write(grh, 8);
        endpoint.gid().write(grh, 24);
    }

    @Override
    void onPosted(SendQueue.Element element) {
        RoceAddressHandle handle = element.addressHandle();
        if (handle == null) {
            complete(element, WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR);
            return;
        }
        schedule(port().endpoint(handle.vector().sourceGidIndex()));
    }

    @Override
    public void schedule() {
        SendQueue.Element element = sends().isEmpty() ? null : sends().at(sends().head());
        RoceAddressHandle handle = element == null ? null : element.addressHandle();
        if (handle != null) {
            schedule(port().endpoint(handle.vector().sourceGidIndex()));
        }
    }

    private void schedule(RoceEndpoint endpoint) {
        endpoint.schedule(this, endpoint.anybody());
    }

    @Override
    public void transmit(SendPass pass) {
        while (pass == SendPass.SENDS && !sends().isEmpty() && state() == QueuePairState.RTS) {
            SendQueue.Element element = sends().at(sends().head());
            RoceAddressHandle handle = element.addressHandle();
            if (handle == null) {
                complete(element, WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR);
                continue;
            }
            RoceEndpoint endpoint = port().endpoint(handle.vector().sourceGidIndex());
            Datagram slot = endpoint.claim();
            if (slot == null) {
                schedule(endpoint);
                return;
            }
            boolean sent = send(endpoint, slot, element, handle.vector().destination());
            complete(element, sent ? WorkCompletionStatus.SUCCESS : WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
        }
    }

    private boolean send(RoceEndpoint endpoint, Datagram slot, SendQueue.Element element, Gid destination) {
        boolean immediate = element.opcode() == WorkRequestOpcode.SEND_WITH_IMMEDIATE;
        int opcode = immediate ? Opcode.UD_SEND_ONLY_WITH_IMMEDIATE : Opcode.UD_SEND_ONLY;
        int headerLength = Opcode.headerLength(opcode);
        int length = (int) element.byteLength();
        ByteBuffer buffer = slot.buffer();
        if (!element.segments().gather(0, length, buffer, headerLength)) {
            return false;
        }
        int pad = -length & 3;
        for (int i = 0; i < pad; i++) {
            buffer.put(headerLength + length + i, (byte) 0);
        }
        deth.wrap(buffer, Bth.LENGTH).put(element.remoteQKey(), number());
        if (immediate) {
            buffer.putInt(Opcode.immediateOffset(opcode), element.immediate());
        }
        bth.wrap(buffer, 0)
                .put(
                        opcode,
                        element.isSolicited(),
                        pad,
                        Bth.DEFAULT_PARTITION_KEY,
                        element.remoteQueuePair(),
                        false,
                        nextPsn++);
        flow.set(endpoint.gid(), destination, FlowHeader.ROCE_PORT, FlowHeader.ROCE_PORT);
        endpoint.send(slot, opcode, headerLength + length + pad, flow, destination);
        return true;
    }

    private void complete(SendQueue.Element element, WorkCompletionStatus status) {
        if (element.isSignaled() || status != WorkCompletionStatus.SUCCESS) {
            completeSend(element.wrId(), status, WorkCompletionOpcode.SEND, (int) element.byteLength());
        }
        sends().advance();
        if (status != WorkCompletionStatus.SUCCESS && state() == QueuePairState.RTS) {
            enter(QueuePairState.SQE);
        }
    }

    @Override
    long maxMessageBytes() {
        return MAX_PAYLOAD;
    }

    @Override
    void stop() {
        arrivedAt = null;
    }

    /** A datagram comes whole or not at all. */
    @Override
    void flushPartialReceive() {}
}
