package io.srpt.initiator;

/** Life-cycle events of one {@link SrpSession}, on its loop. Must not block. */
public interface SrpSessionListener {
    /** The target took the login; commands may be submitted. */
    void onLoggedIn(SrpSession session);

    /** The login failed; the session is closed and has freed all it had. */
    void onLoginFailed(SrpSession session, SrpLoginFailure failure);

    /** The session is over after {@link #onLoggedIn}; all commands have been completed and everything is freed. */
    void onClosed(SrpSession session, CloseReason reason);

    /** The target sent an asynchronous event report (AER_REQ) for {@code lun}, an 8-byte SAM number. */
    default void onAsynchronousEvent(SrpSession session, long lun) {}

    /** Why a session ended. */
    enum CloseReason {
        /** {@link SrpSession#logout()} was called. */
        LOGOUT,
        /** The target ended the connection (DREQ) or sent T_LOGOUT. */
        TARGET_LOGOUT,
        /** A work request failed or the queue pair went to the error state. */
        TRANSPORT_ERROR,
        /** A command was not answered in time. */
        COMMAND_TIMEOUT,
        /** The target sent something that is no SRP message. */
        PROTOCOL_ERROR
    }
}
