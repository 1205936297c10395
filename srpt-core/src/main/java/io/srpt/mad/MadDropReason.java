package io.srpt.mad;

/** Why a datagram that came was not delivered to an agent. */
public enum MadDropReason {
    /** No free buffer to take the place of the filled one. */
    POOL_EMPTY,
    /** Shorter than 40 + 256 bytes. */
    BAD_LENGTH,
    /** The receive ended with an error. */
    RECEIVE_ERROR,
    BAD_BASE_VERSION,
    /** A request that no agent has registered for. */
    NO_AGENT,
    /** A response whose transaction nobody waits for, or from another source than was asked. */
    UNMATCHED_RESPONSE
}
