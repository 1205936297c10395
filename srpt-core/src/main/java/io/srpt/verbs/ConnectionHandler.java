package io.srpt.verbs;

/** Events of one {@link Connection}, on its loop ({@code srpt_cm_handler} of the Linux driver). */
public interface ConnectionHandler {
    /**
     * The connection stands. Passive side: RTU or the first message came. Active side: REP came, the queue pair is in
     * RTS and RTU was sent.
     *
     * @param privateData the peer's REP private data (196 bytes) on the active side, empty on the passive side
     */
    void onEstablished(Connection connection, byte[] privateData);

    /**
     * The connection is over: DREQ came, the peer answered ours, or it did not in time. Comes once, after
     * {@link #onEstablished}. The queue pair is in ERR; DREP is sent by the connection manager after the call if need be.
     */
    void onDisconnected(Connection connection);

    /** Active side: the peer refused (private data 148 bytes). Passive side: it refused our REP. */
    void onRejected(Connection connection, RejectReason reason, byte[] privateData);

    /** No answer to REQ or REP within the retries. */
    void onUnreachable(Connection connection);

    /** TimeWait ended: the queue pair number may be used again. */
    default void onTimeWaitExit(Connection connection) {}
}
