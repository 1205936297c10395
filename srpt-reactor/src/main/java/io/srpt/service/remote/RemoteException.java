package io.srpt.service.remote;

import java.io.IOException;

/** A service that did not do what it was asked. The message is for the operator. */
final class RemoteException extends IOException {
    private static final long serialVersionUID = 1L;

    RemoteException(String message) {
        super(message);
    }

    RemoteException(String message, Throwable cause) {
        super(message, cause);
    }
}
