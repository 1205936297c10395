package io.srpt.target;

/** Why a channel ended: the first reason counts. */
public enum ChannelEnd {
    /** The initiator sent SRP_I_LOGOUT. */
    INITIATOR_LOGOUT,
    /** The initiator disconnected. */
    PEER_DISCONNECTED,
    /** The initiator refused our reply, or never confirmed it. */
    NOT_ESTABLISHED,
    /** Another login of the same nexus asked for a single channel. */
    REPLACED,
    /** The port was disabled, or access was withdrawn. */
    DISABLED,
    /** The initiator broke the protocol. */
    PROTOCOL_ERROR,
    /** Work failed: retries used up, or a remote access error. */
    TRANSPORT_ERROR,
    /** A fault was injected on purpose. */
    FAULT_INJECTED,
    /** Our own code, or that of a store, threw an exception. */
    INTERNAL_ERROR;

    /** Whether an operator should look at it. */
    public boolean isError() {
        return this == PROTOCOL_ERROR || this == TRANSPORT_ERROR || this == INTERNAL_ERROR;
    }
}
