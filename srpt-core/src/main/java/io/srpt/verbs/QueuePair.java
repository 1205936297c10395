package io.srpt.verbs;

/**
 * A queue pair. Work completes in the order of its queue (for receives, see {@link QueuePairInit#anyReceiveOrder}); every posted
 * work request completes exactly once, with {@link WorkCompletionStatus#WORK_REQUEST_FLUSHED} when the error state comes first
 * (sends that are not signalled and end well make no completion).
 */
public interface QueuePair extends AutoCloseable {
    /** The 24-bit queue pair number. Any thread. */
    int number();

    QueuePairType type();

    QueuePairState state();

    /** RESET to INIT. */
    void modifyToInit(InitAttributes attributes) throws VerbsException;

    /** INIT to RTR. Datagram queue pairs take {@link RtrAttributes#DATAGRAM}. */
    void modifyToRtr(RtrAttributes attributes) throws VerbsException;

    /** RTR (or SQE) to RTS. */
    void modifyToRts(RtsAttributes attributes) throws VerbsException;

    /** Any state to ERR: all posted work is flushed. From RESET it only changes the state. */
    void modifyToError();

    /**
     * Posts a send, RDMA WRITE or RDMA READ. RDMA READs beyond the negotiated limit wait inside the queue pair. A slot is
     * free again when the work, or a signalled one posted later, has completed.
     */
    PostResult postSend(SendWorkRequest request);

    /** Posts a receive; refused with INVALID when the queue pair uses a {@link SharedReceiveQueue}. */
    PostResult postReceive(ReceiveWorkRequest request);

    /** Work requests that {@link #postSend} would take now. */
    int freeSendSlots();

    /** Destroys it: no further completion comes, what was posted is forgotten. */
    @Override
    void close();

    /** {@code RESET} to {@code INIT}. */
    record InitAttributes(int pkeyIndex, int access, int qKey) {
        /** For connected queue pairs: P_Key index 0, the peer gets {@code access}. */
        public static InitAttributes connected(int access) {
            return new InitAttributes(0, access, 0);
        }

        /** For datagram queue pairs. */
        public static InitAttributes datagram(int qKey) {
            return new InitAttributes(0, 0, qKey);
        }
    }

    /**
     * {@code INIT} to {@code RTR}.
     *
     * @param path where the peer is
     * @param pathMtu payload bytes of a full packet: 256, 512, 1024, 2048 or 4096
     * @param remoteQueuePair the peer's queue pair
     * @param receivePsn the first PSN expected from the peer
     * @param maxInboundReads RDMA READs that the peer may have outstanding here
     * @param minRnrTimer RNR timer code (0 is 655.36 ms) sent when no receive is posted
     */
    record RtrAttributes(
            AddressVector path,
            int pathMtu,
            int remoteQueuePair,
            int receivePsn,
            int maxInboundReads,
            int minRnrTimer) {
        /** What a datagram queue pair takes: nothing. */
        public static final RtrAttributes DATAGRAM = new RtrAttributes(AddressVector.NONE, 4096, 0, 0, 0, 0);
    }

    /**
     * {@code RTR} to {@code RTS}.
     *
     * @param sendPsn the first PSN of our requests
     * @param ackTimeout local ACK timeout exponent: 4.096 us times 2 to its power; 0 switches the timer off
     * @param retryCount retries after a timeout or sequence error, 0 to 7
     * @param rnrRetryCount retries after an RNR NAK, 7 is without end
     * @param maxOutboundReads RDMA READs that may be outstanding at the peer
     */
    record RtsAttributes(int sendPsn, int ackTimeout, int retryCount, int rnrRetryCount, int maxOutboundReads) {
        /** For datagram queue pairs. */
        public static RtsAttributes datagram(int sendPsn) {
            return new RtsAttributes(sendPsn, 0, 0, 0, 0);
        }
    }
}
