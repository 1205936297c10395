package io.srpt.target;

/** What the connection manager tells a channel, see {@link io.srpt.verbs.ConnectionHandler}. */
public enum ConnectionEvent {
    /** RTU, or the first message, came. */
    ESTABLISHED,
    /** DREQ or DREP came, or neither in time. */
    DISCONNECTED,
    /** The initiator refused our REP. */
    REJECTED,
    /** The initiator did not answer our REP. */
    UNREACHABLE
}
