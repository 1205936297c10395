package io.srpt.mad;

import io.srpt.time.Deadline;
import io.srpt.verbs.AddressHandle;

/** A send under way, from the post until its address handle and buffer are free. One buffer carries at most one. */
final class MadSend {
    final MadAgent agent;
    final MadBuffer buffer;
    final long token;
    final MadAddress to;
    final AddressHandle handle;
    final long transactionId;
    final int managementClass;
    /** 0: no response is expected. */
    final long timeoutNanos;

    /** When it was posted first, on the loop's clock. */
    final long postedNanos;

    final Deadline timer;
    int retriesLeft;
    /** The transport holds buffer and handle. */
    boolean posted = true;
    /** What keeps it from the wire; PASS for nothing. */
    MadReplyFault.Kind held = MadReplyFault.Kind.PASS;
    /** The response came while the transport still held the buffer. */
    boolean answered;
    /** Its completion was delivered. */
    boolean ended;
    /** Its owner let go of it while the transport still held the buffer. */
    boolean releaseWanted;

    MadSend(
            MadSends owner,
            MadAgent agent,
            MadBuffer buffer,
            MadAddress to,
            AddressHandle handle,
            long timeoutNanos,
            int retries) {
        MadHeader header = new MadHeader().wrap(buffer.buffer(), MadBuffer.MAD_OFFSET);
        this.agent = agent;
        this.buffer = buffer;
        this.token = buffer.token();
        this.to = to;
        this.handle = handle;
        this.transactionId = header.transactionId();
        this.managementClass = header.managementClass();
        this.timeoutNanos = timeoutNanos;
        this.postedNanos = owner.nanoTime();
        this.retriesLeft = retries;
        this.timer = new Deadline() {
            @Override
            protected void onDeadline() {
                owner.onTimer(MadSend.this);
            }
        };
    }

    boolean awaitsResponse() {
        return timeoutNanos > 0 && !answered && !ended;
    }
}
