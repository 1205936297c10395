package io.srpt.verbs;

/**
 * What goes wrong below the queue pairs of a software transport, for those who watch it. Hardware keeps such things to
 * itself.
 */
@FunctionalInterface
public interface TransportEventListener {
    /**
     * Something happened. On the port's loop; must not block, throw or call back.
     *
     * @param port where
     * @param kind what
     * @param queuePair number of our queue pair, 0 if it is not known
     * @param detail see {@link Kind}
     */
    void onTransportEvent(RdmaPort port, Kind kind, int queuePair, long detail);

    /** What can happen, and what the detail is. */
    enum Kind {
        /** Requests are sent again; the first PSN. */
        RETRANSMISSION,
        /** An RNR NAK was sent because no receive was posted; its timer in nanoseconds. */
        RNR_NAK_SENT,
        /** The peer had no receive posted; its timer in nanoseconds. */
        RNR_NAK_RECEIVED,
        /** A packet with a wrong ICRC was dropped; its length in bytes. */
        ICRC_ERROR,
        /** The queue pair went to the error state by itself; 0. */
        QUEUE_PAIR_FATAL
    }
}
