package io.srpt.mad;

/** What became of a datagram that came. */
public enum MadReceiveResult {
    /** An agent got it. */
    DELIVERED,
    /** It was answered with "not supported". */
    NOT_SUPPORTED,
    POOL_EMPTY,
    BAD_LENGTH,
    RECEIVE_ERROR,
    BAD_BASE_VERSION,
    NO_AGENT,
    UNMATCHED_RESPONSE;

    /** Whether the datagram was dropped before its header was read. */
    public boolean isUnread() {
        return this == POOL_EMPTY || this == BAD_LENGTH || this == RECEIVE_ERROR;
    }

    static MadReceiveResult of(MadDropReason reason) {
        return switch (reason) {
            case POOL_EMPTY -> POOL_EMPTY;
            case BAD_LENGTH -> BAD_LENGTH;
            case RECEIVE_ERROR -> RECEIVE_ERROR;
            case BAD_BASE_VERSION -> BAD_BASE_VERSION;
            case NO_AGENT -> NO_AGENT;
            case UNMATCHED_RESPONSE -> UNMATCHED_RESPONSE;
        };
    }
}
