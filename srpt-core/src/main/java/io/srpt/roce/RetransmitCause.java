package io.srpt.roce;

/** Why request packets are sent again. */
public enum RetransmitCause {
    /** Nothing came back in time. */
    TIMEOUT,
    /** The responder missed a packet and said so. */
    SEQUENCE_NAK,
    /** The responder had no receive posted. */
    RNR_NAK,
    /** Responses of an RDMA READ are missing. */
    READ_GAP
}
