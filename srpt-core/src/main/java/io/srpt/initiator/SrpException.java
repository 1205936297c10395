package io.srpt.initiator;

import java.io.IOException;

/** A login or command of a {@link BlockingSrpClient} that failed. The message says at which step and why. */
public final class SrpException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With a message for the operator. */
    public SrpException(String message) {
        super(message);
    }

    /** With a message for the operator and the cause. */
    public SrpException(String message, Throwable cause) {
        super(message, cause);
    }
}
