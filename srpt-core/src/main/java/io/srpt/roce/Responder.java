package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.PathMtu;
import io.srpt.roce.packet.Psn;
import io.srpt.roce.packet.Reth;
import io.srpt.verbs.Access;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The passive half of a reliable connection (IBTA vol. 1 §9.7.4): takes requests in PSN order, places their data, and
 * acknowledges. One ACK at the end of the loop's turn answers all packets that asked in it.
 *
 * <table>
 *   <caption>What a request packet with PSN p meets, e being the expected one</caption>
 *   <tr><td>p after e</td><td>one NAK "sequence error" with e until e comes</td></tr>
 *   <tr><td>p before e</td><td>repeated: SEND and WRITE are acknowledged again, READ is answered again</td></tr>
 *   <tr><td>p = e</td><td>checked and executed; an error is a NAK and the error state</td></tr>
 * </table>
 */
final class Responder {
    private final ReliableQueuePair qp;
    private final PacketBuilder packets;
    private final Reth reth = new Reth();
    private ReadResponses responses = new ReadResponses(0);
    private int rnrTimer;
    private int expectedPsn;
    private int msn;
    /** A gap (or an empty receive queue) was reported; what follows it is dropped silently until it is closed. */
    private boolean gapReported;

    private boolean ackDue;
    private Message message = Message.NONE;
    private ReceiveQueue.@Nullable Element receive;
    private long receivedBytes;
    private @Nullable RoceMemoryRegion writeRegion;
    private long writeAddress;
    private long writeRemaining;

    /** The message of which the first packets have come. */
    private enum Message {
        NONE,
        SEND,
        WRITE
    }

    Responder(ReliableQueuePair qp) {
        this.qp = qp;
        this.packets = new PacketBuilder(qp);
    }

    void start(int receivePsn, int maxInboundReads, int minRnrTimer) {
        expectedPsn = receivePsn & Psn.MASK;
        responses = new ReadResponses(maxInboundReads);
        rnrTimer = minRnrTimer;
    }

    void stop() {
        responses.clear();
        ackDue = false;
        message = Message.NONE;
    }

    /** The receive that a half-received message holds is flushed before those that wait. */
    void flush() {
        ReceiveQueue.Element open = receive;
        receive = null;
        if (open != null) {
            qp.completeReceive(open, WorkCompletionStatus.WORK_REQUEST_FLUSHED, WorkCompletionOpcode.RECEIVE);
        }
    }

    void onRequest(ByteBuffer buffer, int packet, Bth bth, int opcode, int payloadLength) {
        int psn = bth.psn();
        int ahead = Psn.diff(psn, expectedPsn);
        if (ahead > 0) {
            onGap();
        } else if (ahead < 0) {
            onDuplicate(buffer, packet, opcode, psn);
        } else {
            onExpected(buffer, packet, bth, opcode, payloadLength);
        }
    }

    private void onGap() {
        qp.counters().outOfSequence().increment();
        if (!gapReported) {
            gapReported = true;
            nak(AethSyndrome.NAK_PSN_SEQUENCE_ERROR);
        }
    }

    private void onDuplicate(ByteBuffer buffer, int packet, int opcode, int psn) {
        qp.counters().duplicates().increment();
        if (opcode != Opcode.RC_READ_REQUEST) {
            ackDue = true;
            qp.schedule();
            return;
        }
        reth.wrap(buffer, packet + Bth.LENGTH);
        int span = qp.mtu().packetsFor(reth.dmaLength());
        RoceMemoryRegion region = readable();
        // Only what was asked for before may be asked for again; the memory may be out of use by now.
        if (region != null && Psn.diff(Psn.add(psn, span), expectedPsn) <= 0) {
            responses.addAgain(psn, span, msn, region, reth.virtualAddress(), reth.dmaLength());
            qp.schedule();
        }
    }

    private void onExpected(ByteBuffer buffer, int packet, Bth bth, int opcode, int payloadLength) {
        int refusal;
        if (!fits(opcode, payloadLength)) {
            refusal = AethSyndrome.NAK_INVALID_REQUEST;
        } else if (Opcode.isSend(opcode)) {
            refusal = onSend(buffer, packet, opcode, payloadLength);
        } else if (Opcode.isWrite(opcode)) {
            refusal = onWrite(buffer, packet, opcode, payloadLength);
        } else if (opcode == Opcode.RC_READ_REQUEST) {
            refusal = onRead(buffer, packet);
        } else {
            refusal = AethSyndrome.NAK_INVALID_REQUEST;
        }
        if (refusal == 0) {
            gapReported = false;
            if (opcode != Opcode.RC_READ_REQUEST) {
                expectedPsn = Psn.next(expectedPsn);
                ackDue |= bth.ackRequest();
            }
            qp.schedule();
        } else if (AethSyndrome.isRnrNak(refusal)) {
            gapReported = true;
            qp.counters().rnrNaksSent().increment();
            qp.port()
                    .report(
                            TransportEventListener.Kind.RNR_NAK_SENT,
                            qp.number(),
                            AethSyndrome.rnrDelayNanos(rnrTimer));
            nak(refusal);
        } else {
            nak(refusal);
            qp.fail();
        }
    }

    /** Whether the opcode may come now and its payload has the length that its place in the message demands. */
    private boolean fits(int opcode, int payloadLength) {
        PathMtu mtu = qp.mtu();
        Message of = Opcode.isSend(opcode) ? Message.SEND : Opcode.isWrite(opcode) ? Message.WRITE : Message.NONE;
        boolean starts = Opcode.startsMessage(opcode) || of == Message.NONE;
        if (starts != (message == Message.NONE) || (!starts && of != message)) {
            return false;
        }
        if (Opcode.isOnly(opcode)) {
            return payloadLength <= mtu.bytes();
        }
        if (Opcode.isLast(opcode)) {
            return payloadLength >= 1 && payloadLength <= mtu.bytes();
        }
        return of == Message.NONE || payloadLength == mtu.bytes();
    }

    // ---- SEND ---------------------------------------------------------------------------------------------------

    private int onSend(ByteBuffer buffer, int packet, int opcode, int payloadLength) {
        ReceiveQueue.Element element = receive;
        if (element == null) {
            element = qp.receives().take();
            if (element == null) {
                return AethSyndrome.rnrNak(rnrTimer);
            }
            receive = element;
            receivedBytes = 0;
            message = Message.SEND;
        }
        if (receivedBytes + payloadLength > element.segments().byteLength()) {
            return failReceive(element, WorkCompletionStatus.LOCAL_LENGTH_ERROR, AethSyndrome.NAK_INVALID_REQUEST);
        }
        if (!element.segments().scatter(receivedBytes, payloadLength, buffer, packet + Opcode.headerLength(opcode))) {
            return failReceive(
                    element, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR);
        }
        receivedBytes += payloadLength;
        return Opcode.endsMessage(opcode) ? endSend(buffer, packet, opcode, element) : 0;
    }

    private int endSend(ByteBuffer buffer, int packet, int opcode, ReceiveQueue.Element element) {
        int invalidated = 0;
        if (Opcode.hasIeth(opcode)) {
            invalidated = buffer.getInt(packet + Opcode.immediateOffset(opcode));
            RoceMemoryRegion region = qp.domain().memory().find(qp.domain(), invalidated);
            if (region == null || !region.isRemotelyAccessible()) {
                return failReceive(
                        element, WorkCompletionStatus.LOCAL_PROTECTION_ERROR, AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
            }
            region.invalidate();
        }
        receive = null;
        message = Message.NONE;
        msn = Psn.next(msn);
        RoceCompletion completion =
                qp.completeReceive(element, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE);
        completion.byteLength((int) receivedBytes).invalidatedKey(invalidated);
        if (Opcode.hasImm(opcode)) {
            completion.immediate(buffer.getInt(packet + Opcode.immediateOffset(opcode)));
        }
        return 0;
    }

    private int failReceive(ReceiveQueue.Element element, WorkCompletionStatus status, int nak) {
        receive = null;
        qp.completeReceive(element, status, WorkCompletionOpcode.RECEIVE);
        return nak;
    }

    // ---- RDMA WRITE ---------------------------------------------------------------------------------------------

    private int onWrite(ByteBuffer buffer, int packet, int opcode, int payloadLength) {
        ReceiveQueue.Element notified = null;
        if (Opcode.hasImm(opcode)) {
            if (qp.receives().posted() == 0) {
                return AethSyndrome.rnrNak(rnrTimer);
            }
        }
        if (Opcode.hasReth(opcode)) {
            int refusal = beginWrite(buffer, packet);
            if (refusal != 0) {
                return refusal;
            }
        }
        boolean ends = Opcode.endsMessage(opcode);
        if (ends ? payloadLength != writeRemaining : payloadLength >= writeRemaining) {
            return AethSyndrome.NAK_INVALID_REQUEST;
        }
        if (payloadLength > 0) {
            RoceMemoryRegion region = writeRegion;
            if (region == null || !region.isValid()) {
                return AethSyndrome.NAK_REMOTE_ACCESS_ERROR;
            }
            region.buffer()
                    .put(region.indexOf(writeAddress), buffer, packet + Opcode.headerLength(opcode), payloadLength);
            writeAddress += payloadLength;
            writeRemaining -= payloadLength;
        }
        message = ends ? Message.NONE : Message.WRITE;
        if (ends) {
            writeRegion = null;
            msn = Psn.next(msn);
        }
        if (Opcode.hasImm(opcode)) {
            notified = qp.receives().take();
        }
        if (notified != null) {
            qp.completeReceive(notified, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE)
                    .immediate(buffer.getInt(packet + Opcode.immediateOffset(opcode)));
        }
        return 0;
    }

    private int beginWrite(ByteBuffer buffer, int packet) {
        reth.wrap(buffer, packet + Bth.LENGTH);
        writeAddress = reth.virtualAddress();
        writeRemaining = reth.dmaLength();
        writeRegion = null;
        if (writeRemaining == 0) {
            return 0;
        }
        RoceMemoryRegion region = accessible(Access.REMOTE_WRITE);
        if (region == null) {
            return AethSyndrome.NAK_REMOTE_ACCESS_ERROR;
        }
        writeRegion = region;
        return 0;
    }

    /** The region that the RETH names, if the peer may use the named range so; null otherwise. */
    private @Nullable RoceMemoryRegion accessible(int right) {
        RoceMemoryRegion region = qp.domain().memory().find(qp.domain(), reth.remoteKey());
        boolean allowed = region != null
                && qp.grants(right)
                && region.allows(right)
                && region.covers(reth.virtualAddress(), reth.dmaLength());
        return allowed ? region : null;
    }

    // ---- RDMA READ ----------------------------------------------------------------------------------------------

    private int onRead(ByteBuffer buffer, int packet) {
        reth.wrap(buffer, packet + Bth.LENGTH);
        if (reth.dmaLength() > qp.maxMessageBytes()) {
            return AethSyndrome.NAK_INVALID_REQUEST;
        }
        RoceMemoryRegion region = readable();
        if (region == null) {
            return AethSyndrome.NAK_REMOTE_ACCESS_ERROR;
        }
        msn = Psn.next(msn);
        int span = qp.mtu().packetsFor(reth.dmaLength());
        responses.add(expectedPsn, span, msn, region, reth.virtualAddress(), reth.dmaLength());
        expectedPsn = Psn.add(expectedPsn, span);
        return 0;
    }

    /** As {@link #accessible}; a READ of no bytes needs no memory and gets an empty region. */
    private @Nullable RoceMemoryRegion readable() {
        return reth.dmaLength() == 0 ? qp.domain().emptyRegion() : accessible(Access.REMOTE_READ);
    }

    // ---- answers ------------------------------------------------------------------------------------------------

    /** Sends READ responses. False when the network takes no more now. */
    boolean answerReads() {
        while (!responses.isEmpty()) {
            Datagram slot = qp.path().endpoint().claim();
            if (slot == null) {
                return false;
            }
            if (!responses.sendNext(slot, packets, qp.mtu())) {
                qp.fail();
                return true;
            }
        }
        return true;
    }

    /** Sends the ACK that is due, after all READ responses: it says that they were sent. False as above. */
    boolean acknowledge() {
        if (ackDue && responses.isEmpty()) {
            Datagram slot = qp.path().endpoint().claim();
            if (slot == null) {
                return false;
            }
            ackDue = false;
            packets.acknowledge(slot, Psn.previous(expectedPsn), AethSyndrome.ACK_NO_CREDITS, msn);
        }
        return true;
    }

    /** A NAK is not kept for later: if the network takes no more, the peer's timer brings the request again. */
    private void nak(int syndrome) {
        if (!AethSyndrome.isRnrNak(syndrome)) {
            qp.counters().naksSent().increment();
        }
        ackDue = false;
        Datagram slot = qp.path().endpoint().claim();
        if (slot != null) {
            packets.acknowledge(slot, expectedPsn, syndrome, msn);
        }
    }
}
