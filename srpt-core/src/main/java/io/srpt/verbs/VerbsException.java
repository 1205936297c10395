package io.srpt.verbs;

/**
 * A control-path call that the provider could not serve: no resources, a wrong argument, or a feature that it lacks. The
 * message says what was asked and why it failed. Data-path errors are {@link WorkCompletionStatus}es and never this.
 */
public final class VerbsException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With a message for the operator. */
    public VerbsException(String message) {
        super(message);
    }

    /** With a message for the operator and the cause. */
    public VerbsException(String message, Throwable cause) {
        super(message, cause);
    }
}
