package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.Aeth;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.Psn;
import io.srpt.verbs.QueuePair.RtsAttributes;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;

/**
 * The active half of a reliable connection (IBTA vol. 1 §9.7.5): numbers and sends requests, takes acknowledgements and
 * RDMA READ responses, and sends again what was lost.
 *
 * <pre>
 *   PSNs:   completed | acknowledged, waiting for an earlier READ | sent | not sent
 *                     ^ oldest            ackedPsn ^        sentPsn ^
 * </pre>
 *
 * <p><b>Loss.</b> A NAK, a missing READ response, an RNR NAK or the ACK timer move {@code cursorPsn} back to the oldest PSN
 * that is not done (go-back-N); what was acknowledged beyond it is skipped, so that an RDMA WRITE that the peer has is never
 * sent again. A READ is asked for again from the missing packet on. {@link SendWindow} says how
 * much may be on its way.
 *
 * <p><b>Timer.</b> {@link RetryTimers} says when silence is answered by sending again, and when it is the end.
 */
final class Requester {
    /** Bytes that one READ request on the wire asks for: a multiple of every MTU. */
    private static final int READ_SEGMENT_BYTES = 64 << 10;

    private final ReliableQueuePair qp;
    private final SendQueue sends;
    private final PacketBuilder packets;
    private final OutstandingReads reads = new OutstandingReads();
    private final SendWindow window = new SendWindow();
    private final RetryTimers retries;
    private final Aeth aeth = new Aeth();

    /** PSN of the next request to be posted. */
    private int tailPsn;
    /** The element, and within it the PSN, to be sent next. */
    private int cursor;

    private int cursorPsn;
    /** One past the highest PSN sent. */
    private int sentPsn;
    /** One past the highest PSN that the peer acknowledged, by an ACK, NAK or READ response. */
    private int ackedPsn;

    private RetransmitCause retransmitCause = RetransmitCause.TIMEOUT;
    /** A READ gap was noticed and asked for again: further responses beyond it are no news. */
    private boolean gapPending;

    Requester(ReliableQueuePair qp) {
        this.qp = qp;
        this.sends = qp.sends();
        this.packets = new PacketBuilder(qp);
        this.retries = new RetryTimers(qp.loop(), this::onAckTimeout, qp::schedule);
    }

    void start(RtsAttributes attributes) {
        retries.start(attributes);
        tailPsn = attributes.sendPsn() & Psn.MASK;
        cursorPsn = tailPsn;
        sentPsn = tailPsn;
        ackedPsn = tailPsn;
        cursor = sends.tail();
        reads.limit(attributes.maxOutboundReads());
    }

    void stop() {
        retries.stop();
        releaseReads();
    }

    void onPosted(SendQueue.Element element) {
        int count = qp.mtu().packetsFor(element.byteLength());
        element.psns(tailPsn, count);
        tailPsn = Psn.add(tailPsn, count);
        qp.schedule();
    }

    /**
     * Sends from the cursor on, up to what a later pass is for. False when the network takes no more and the queue pair must be
     * asked again.
     */
    boolean transmit(SendPass pass) {
        if (retries.isAwaitingReceiver()) {
            return true;
        }
        boolean taken = true;
        while (taken && cursor != sends.tail() && qp.state() == QueuePairState.RTS) {
            SendQueue.Element element = sends.at(cursor);
            int endPsn = Psn.add(element.firstPsn(), element.packets());
            skipDone(element, endPsn);
            if (cursorPsn == endPsn) {
                cursor++;
                continue;
            }
            if (element.pass().compareTo(pass) > 0 || !mayProceed(element)) {
                break;
            }
            taken = element.isRead() ? sendRead(element) : sendData(element, endPsn);
        }
        awaitAnswer();
        return taken;
    }

    /** Moves the cursor over what the peer has acknowledged or answered since it was moved back. */
    private void skipDone(SendQueue.Element element, int endPsn) {
        int done = element.isRead() ? Psn.add(element.firstPsn(), element.received()) : ackedPsn;
        if (Psn.after(done, cursorPsn)) {
            cursorPsn = Psn.before(done, endPsn) ? done : endPsn;
        }
    }

    private boolean mayProceed(SendQueue.Element element) {
        if (element.isFenced() && reads.count() > 0 && cursorPsn == element.firstPsn()) {
            return false;
        }
        if (element.isRead()) {
            return reads.hasRoom() && qp.path().endpoint().reserveReads(readBytes(element), qp);
        }
        return !isWindowFull(cursorPsn);
    }

    private long readOffset(SendQueue.Element element) {
        return (long) Psn.diff(cursorPsn, element.firstPsn()) * qp.mtu().bytes();
    }

    private int readBytes(SendQueue.Element element) {
        long offset = readOffset(element);
        // What is asked for again must end where the first request for it ended: the peer takes a tail of it only.
        long segmentLeft = READ_SEGMENT_BYTES - offset % READ_SEGMENT_BYTES;
        return (int) Math.min(element.byteLength() - offset, segmentLeft);
    }

    /** Asks for the next bytes, for which {@link #mayProceed} has reserved room. */
    private boolean sendRead(SendQueue.Element element) {
        long offset = readOffset(element);
        int bytes = readBytes(element);
        RoceEndpoint endpoint = qp.path().endpoint();
        Datagram slot = endpoint.claim();
        if (slot == null) {
            endpoint.releaseReads(bytes);
            return false;
        }
        countRetransmit();
        packets.readRequest(slot, cursorPsn, element.remoteAddress() + offset, element.remoteKey(), bytes);
        int span = qp.mtu().packetsFor(bytes);
        cursorPsn = Psn.add(cursorPsn, span);
        reads.add(cursorPsn, span, bytes);
        window.onRead();
        markSent();
        return true;
    }

    private boolean sendData(SendQueue.Element element, int endPsn) {
        Datagram slot = qp.path().endpoint().claim();
        if (slot == null) {
            return false;
        }
        int index = Psn.diff(cursorPsn, element.firstPsn());
        countRetransmit();
        int next = Psn.next(cursorPsn);
        if (!packets.data(slot, element, index, cursorPsn, wantsAck(next, endPsn))) {
            failHead(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
            return true;
        }
        cursorPsn = next;
        markSent();
        return true;
    }

    /** Whether the packet before {@code next} must ask for an ACK: nothing that would ask follows it soon. */
    private boolean wantsAck(int next, int endPsn) {
        boolean lastOfQueue = next == endPsn && cursor + 1 == sends.tail();
        return window.asksForAck(lastOfQueue || isWindowFull(next));
    }

    /** Whether no packet may be sent once {@code next} is the next one. */
    private boolean isWindowFull(int next) {
        return window.isFull(Psn.diff(next, oldestPsn()) - reads.psns());
    }

    private void countRetransmit() {
        if (Psn.before(cursorPsn, sentPsn)) {
            qp.counters().retransmit(retransmitCause);
        }
    }

    private void markSent() {
        if (Psn.after(cursorPsn, sentPsn)) {
            sentPsn = cursorPsn;
        }
    }

    /** The oldest PSN that is neither acknowledged nor, for a READ, answered. */
    private int oldestPsn() {
        if (sends.isEmpty()) {
            return tailPsn;
        }
        SendQueue.Element oldest = sends.at(sends.head());
        if (oldest.isRead()) {
            return Psn.add(oldest.firstPsn(), oldest.received());
        }
        return Psn.after(ackedPsn, oldest.firstPsn()) ? ackedPsn : oldest.firstPsn();
    }

    private boolean hasOutstanding() {
        return Psn.before(oldestPsn(), sentPsn);
    }

    // ---- what the peer says -------------------------------------------------------------------------------------

    void onResponse(ByteBuffer buffer, int packet, Bth bth, int opcode, int payloadLength) {
        int psn = bth.psn();
        if (!Psn.before(psn, sentPsn) || Psn.diff(psn, oldestPsn()) < 0) {
            qp.counters().drop(DropCause.STALE_RESPONSE);
            return;
        }
        if (Opcode.isReadResponse(opcode)) {
            onReadResponse(buffer, packet + Opcode.headerLength(opcode), psn, payloadLength);
        } else if (opcode == Opcode.RC_ACKNOWLEDGE) {
            onAcknowledge(psn, aeth.wrap(buffer, packet + Bth.LENGTH).syndrome());
        } else {
            qp.counters().drop(DropCause.STALE_RESPONSE);
        }
    }

    private void onAcknowledge(int psn, int syndrome) {
        if (AethSyndrome.isAck(syndrome)) {
            acknowledge(Psn.next(psn));
            onResponsesMissing(psn);
        } else if (AethSyndrome.isRnrNak(syndrome)) {
            acknowledge(psn);
            onRnrNak(syndrome);
        } else if (AethSyndrome.isNak(syndrome)) {
            qp.counters().naksReceived().increment();
            acknowledge(psn);
            onNak(syndrome);
        }
    }

    /** The peer has everything before {@code end} but, maybe, could not deliver its READ responses. */
    private void acknowledge(int end) {
        if (Psn.after(end, ackedPsn)) {
            ackedPsn = end;
            onProgress();
        }
        completeDone();
    }

    /** An ACK beyond a READ that is not answered: its responses were lost. */
    private void onResponsesMissing(int psn) {
        if (!sends.isEmpty()) {
            SendQueue.Element oldest = sends.at(sends.head());
            int endPsn = Psn.add(oldest.firstPsn(), oldest.packets());
            if (oldest.isRead() && !Psn.before(psn, endPsn) && !gapPending) {
                askAgainFromGap();
            }
        }
        qp.schedule();
    }

    private void onReadResponse(ByteBuffer buffer, int payload, int psn, int payloadLength) {
        acknowledge(psn);
        if (sends.isEmpty()) {
            return;
        }
        SendQueue.Element element = sends.at(sends.head());
        int expected = Psn.add(element.firstPsn(), element.received());
        int ahead = Psn.diff(psn, expected);
        if (!element.isRead() || ahead != 0) {
            if (element.isRead() && ahead > 0 && !gapPending) {
                askAgainFromGap();
            }
            return;
        }
        long offset = (long) element.received() * qp.mtu().bytes();
        int wanted = (int) Math.min(element.byteLength() - offset, qp.mtu().bytes());
        if (payloadLength != wanted) {
            failHead(WorkCompletionStatus.REMOTE_OPERATION_ERROR);
            return;
        }
        if (!element.segments().scatter(offset, payloadLength, buffer, payload)) {
            failHead(WorkCompletionStatus.LOCAL_PROTECTION_ERROR);
            return;
        }
        element.countResponse();
        gapPending = false;
        qp.path().endpoint().releaseReads(reads.onResponse(Psn.next(psn), payloadLength));
        onProgress();
        completeDone();
        qp.schedule();
    }

    private void askAgainFromGap() {
        gapPending = true;
        qp.counters().readGaps().increment();
        goBack(RetransmitCause.READ_GAP);
    }

    private void onNak(int syndrome) {
        switch (syndrome) {
            case AethSyndrome.NAK_PSN_SEQUENCE_ERROR -> retry(RetransmitCause.SEQUENCE_NAK);
            case AethSyndrome.NAK_INVALID_REQUEST -> failHead(WorkCompletionStatus.REMOTE_INVALID_REQUEST);
            case AethSyndrome.NAK_REMOTE_ACCESS_ERROR -> failHead(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
            default -> failHead(WorkCompletionStatus.REMOTE_OPERATION_ERROR);
        }
    }

    private void onRnrNak(int syndrome) {
        qp.counters().rnrNaksReceived().increment();
        if (!retries.takeReceiverRetry()) {
            failHead(WorkCompletionStatus.RNR_RETRY_EXCEEDED);
            return;
        }
        goBack(RetransmitCause.RNR_NAK);
        long delayNanos = AethSyndrome.rnrDelayNanos(AethSyndrome.value(syndrome));
        retries.awaitReceiver(delayNanos);
        qp.port().report(TransportEventListener.Kind.RNR_NAK_RECEIVED, qp.number(), delayNanos);
    }

    private void onProgress() {
        window.onProgress();
        retries.onProgress();
        awaitAnswer();
    }

    private void completeDone() {
        while (!sends.isEmpty()) {
            SendQueue.Element element = sends.at(sends.head());
            int endPsn = Psn.add(element.firstPsn(), element.packets());
            boolean done = element.isRead()
                    ? element.received() == element.packets()
                    : !Psn.before(ackedPsn, endPsn) && !Psn.before(sentPsn, endPsn);
            if (!done) {
                break;
            }
            if (element.isSignaled()) {
                qp.completeSend(element.wrId(), WorkCompletionStatus.SUCCESS, element.completionOpcode(), (int)
                        element.byteLength());
            }
            if (cursor == sends.head()) {
                cursor++;
                cursorPsn = endPsn;
            }
            sends.advance();
        }
        if (!hasOutstanding()) {
            retries.stopAwaiting();
        }
    }

    // ---- loss ---------------------------------------------------------------------------------------------------

    private void awaitAnswer() {
        if (hasOutstanding()) {
            retries.await();
        }
    }

    private void onAckTimeout() {
        qp.counters().timeouts().increment();
        if (retries.onSilence()) {
            retry(RetransmitCause.TIMEOUT);
        } else {
            goBack(RetransmitCause.TIMEOUT);
        }
    }

    private void retry(RetransmitCause cause) {
        if (retries.takeRetry()) {
            goBack(cause);
        } else {
            failHead(WorkCompletionStatus.RETRY_EXCEEDED);
        }
    }

    private void goBack(RetransmitCause cause) {
        if (!qp.port().isRetransmitting()) {
            return;
        }
        retransmitCause = cause;
        releaseReads();
        window.onLoss();
        cursor = sends.head();
        cursorPsn = oldestPsn();
        qp.port().report(TransportEventListener.Kind.RETRANSMISSION, qp.number(), cursorPsn);
        qp.schedule();
    }

    private void releaseReads() {
        long bytes = reads.clear();
        if (bytes > 0) {
            qp.path().endpoint().releaseReads(bytes);
        }
    }

    /** The oldest request ends with {@code status}; the queue pair goes to the error state. */
    private void failHead(WorkCompletionStatus status) {
        if (!sends.isEmpty()) {
            SendQueue.Element element = sends.at(sends.head());
            qp.completeSend(element.wrId(), status, element.completionOpcode(), 0);
            sends.advance();
        }
        qp.fail();
    }
}
