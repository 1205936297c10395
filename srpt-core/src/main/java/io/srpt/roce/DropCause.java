package io.srpt.roce;

/** Why a received packet was dropped without an answer. */
public enum DropCause {
    /** Shorter than its headers, or its pad does not fit. */
    MALFORMED,
    /** BTH version is not 0. */
    VERSION,
    /** An opcode that nobody knows, or one of a service that is not offered (congestion notifications included). */
    OPCODE,
    /** No queue pair has this number. */
    UNKNOWN_QUEUE_PAIR,
    /** The opcode is of another transport service than the queue pair's. */
    WRONG_SERVICE,
    /** The queue pair does not receive in its state. */
    WRONG_STATE,
    /** The P_Key is not the default partition's. */
    PARTITION_KEY,
    /** The Q_Key is not the queue pair's. */
    QUEUE_KEY,
    /** It comes from another address than the connection's, or to another of ours. */
    WRONG_SOURCE,
    /** The ICRC is wrong. */
    ICRC,
    /** A datagram met an empty receive queue or did not fit. */
    NO_RECEIVE,
    /** A response that nothing outstanding asked for: late, repeated or forged. */
    STALE_RESPONSE
}
