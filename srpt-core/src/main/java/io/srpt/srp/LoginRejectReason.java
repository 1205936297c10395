package io.srpt.srp;

/** Why a login was refused, with the numbers of SRP_LOGIN_REJ (SRP r16a §6.4, SRP-2). */
public enum LoginRejectReason {
    /** The channel cannot be established, no reason given. */
    UNABLE_TO_ESTABLISH_CHANNEL(0x0001_0000),
    INSUFFICIENT_CHANNEL_RESOURCES(0x0001_0001),
    /** The requested unit length is too large, or too small to be of use. */
    REQUESTED_LENGTH_TOO_LARGE(0x0001_0002),
    /** The target port identifier is not ours. */
    UNABLE_TO_ASSOCIATE_NEXUS(0x0001_0003),
    UNSUPPORTED_DESCRIPTOR_FORMAT(0x0001_0004),
    MULTICHANNEL_UNSUPPORTED(0x0001_0005),
    /** Too many channels; Linux also says this to an initiator that may not log in. */
    CHANNEL_LIMIT_REACHED(0x0001_0006),
    /** A number without a name here; Linux sends 0 when a login races with the port's disabling. */
    OTHER(0);

    private final int code;

    LoginRejectReason(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The reason with the number {@code code}, {@link #OTHER} if it has no name here. */
    public static LoginRejectReason of(int code) {
        for (LoginRejectReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return OTHER;
    }
}
