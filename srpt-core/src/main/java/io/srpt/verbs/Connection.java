package io.srpt.verbs;

/** A connection that is being made, stands, or is being ended. Loop of the port only. */
public interface Connection {
    QueuePair queuePair();

    Gid localGid();

    Gid remoteGid();

    /** Whether the connection is established and no side has begun to end it. */
    boolean isEstablished();

    /**
     * Ends it: moves the queue pair to ERR and sends DREQ, or DREP if the peer asked first, or REJ if it was never
     * established. {@link ConnectionHandler#onDisconnected} follows when the peer answered or did not in time, unless it
     * came already. A second call does nothing.
     */
    void disconnect();

    /**
     * Lets go of it: ends it as {@link #disconnect()} if need be, and calls the handler no more. The numbers that
     * TimeWait protects stay reserved. The queue pair stays the caller's to close.
     */
    void close();
}
