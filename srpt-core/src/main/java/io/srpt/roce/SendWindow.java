package io.srpt.roce;

/**
 * How many request packets may be without acknowledgement, and which of them ask for one. The window halves with each loss, as
 * all that follows a lost packet travels again, and grows by a packet with each acknowledgement.
 */
final class SendWindow {
    /** As rxe's own limit. */
    private static final int MAX_PACKETS = 128;

    private static final int MIN_PACKETS = 16;
    /** An acknowledgement is asked for at least this often within a stream. */
    private static final int ACK_EVERY_PACKETS = 32;

    private int packets = MAX_PACKETS;
    private int sinceAckRequest;

    boolean isFull(int unacknowledged) {
        return unacknowledged >= packets;
    }

    /** A packet is about to go out; whether it asks for an ACK, as it must if nothing that would ask follows it soon. */
    boolean asksForAck(boolean nothingFollows) {
        if (nothingFollows || ++sinceAckRequest >= ACK_EVERY_PACKETS) {
            sinceAckRequest = 0;
            return true;
        }
        return false;
    }

    /** An RDMA READ went out, which is answered anyhow. */
    void onRead() {
        sinceAckRequest = 0;
    }

    void onProgress() {
        packets = Math.min(MAX_PACKETS, packets + 1);
    }

    void onLoss() {
        packets = Math.max(MIN_PACKETS, packets / 2);
        sinceAckRequest = 0;
    }
}
