package io.srpt.verbs;

/** Asynchronous events of a device ({@code srpt_event_handler} of the Linux driver). */
@FunctionalInterface
public interface DeviceEventListener {
    /** Something happened to port {@code port} (1 is the first; 0 for the device). Must not block. */
    void onDeviceEvent(RdmaDevice device, Event event, int port);

    /** Kinds of events. */
    enum Event {
        PORT_ACTIVE,
        PORT_ERROR,
        GID_CHANGE,
        PKEY_CHANGE,
        LID_CHANGE,
        SM_CHANGE,
        CLIENT_REREGISTER,
        DEVICE_FATAL,
        /** A shared receive queue fell below its limit ({@code srpt_srq_event} of the Linux driver). */
        SHARED_RECEIVE_QUEUE_LIMIT,
        SHARED_RECEIVE_QUEUE_ERROR
    }
}
