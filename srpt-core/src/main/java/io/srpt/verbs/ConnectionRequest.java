package io.srpt.verbs;

import java.net.InetAddress;

/**
 * A connection request (REQ) that waits for an answer. Off the hot path. Loop of the port only.
 */
public interface ConnectionRequest {
    /** The port that it came to. */
    RdmaPort port();

    /** The service asked for. */
    long serviceId();

    /** Whether it came in RDMA/CM's form, with an IP header. */
    boolean isRdmaCm();

    /** Our address that the peer named. */
    Gid localGid();

    /** The peer's address. */
    Gid remoteGid();

    /** The peer's IP address: from RDMA/CM's header if there is one, else from its GID. */
    InetAddress remoteAddress();

    /** The node GUID that the peer gave. */
    long remoteNodeGuid();

    /** The peer's queue pair number. */
    int remoteQueuePair();

    /** The P_Key of the path. */
    int pkey();

    /** Private data of the consumer: 92 bytes, or 56 for RDMA/CM, zero padded. Do not modify. */
    byte[] privateData();

    /** RDMA READs that we may have outstanding at the peer (its responder resources). */
    int responderResources();

    /** RDMA READs that the peer wants to have outstanding here. */
    int initiatorDepth();

    /**
     * Accepts: moves {@code queuePair}, made by the caller in RESET on this port's loop, to RTS and sends REP. All
     * receives must have been posted by then, except that posting is only possible from INIT on: give a
     * {@code beforeReply} that posts them; it runs in INIT.
     *
     * @param responderResources RDMA READs that the peer may have outstanding here
     * @param initiatorDepth RDMA READs that we will have outstanding there, at most {@link #responderResources()}
     * @param privateData up to 196 bytes
     */
    Connection accept(
            QueuePair queuePair,
            int responderResources,
            int initiatorDepth,
            byte[] privateData,
            Runnable beforeReply,
            ConnectionHandler handler)
            throws VerbsException;

    /** Refuses: sends REJ with {@code reason} and up to 148 bytes of private data. */
    void reject(RejectReason reason, byte[] privateData);
}
