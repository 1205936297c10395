package io.srpt.verbs;

/** Why a connection was refused, with the numbers of the connection manager's REJ message (IBTA vol. 1 §12.6.7.2). */
public enum RejectReason {
    NO_QUEUE_PAIR(1),
    NO_RESOURCES(3),
    TIMEOUT(4),
    UNSUPPORTED_REQUEST(5),
    INVALID_COMMUNICATION_ID(6),
    INVALID_COMMUNICATION_INSTANCE(7),
    INVALID_SERVICE_ID(8),
    INVALID_TRANSPORT_TYPE(9),
    STALE_CONNECTION(10),
    PRIMARY_REMOTE_GID_REJECTED(12),
    PORT_REDIRECT(24),
    GID_REDIRECT(25),
    INVALID_PATH_MTU(26),
    INSUFFICIENT_RESPONDER_RESOURCES(27),
    CONSUMER(28),
    RNR_RETRY_COUNT(29),
    DUPLICATE_LOCAL_COMMUNICATION_ID(30),
    UNSUPPORTED_CLASS_VERSION(31),
    /** A number without a name here. */
    OTHER(0);

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The reason with the number {@code code}, {@link #OTHER} if it has no name here. */
    public static RejectReason of(int code) {
        for (RejectReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return OTHER;
    }
}
