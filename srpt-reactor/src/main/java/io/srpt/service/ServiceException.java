package io.srpt.service;

/** Something failed at run time in a way that the operator can understand and mend: the message is all that is printed. */
public final class ServiceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With a message for the operator. */
    public ServiceException(String message) {
        super(message);
    }

    /** With a message for the operator and the cause. */
    public ServiceException(String message, Throwable cause) {
        super(message, cause);
    }
}
