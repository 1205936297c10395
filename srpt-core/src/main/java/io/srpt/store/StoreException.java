package io.srpt.store;

/** A store could not be opened. The message is for the operator: what, where, and what to do about it. */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
