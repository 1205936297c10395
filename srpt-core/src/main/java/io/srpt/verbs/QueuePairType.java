package io.srpt.verbs;

/** The transport service of a queue pair. */
public enum QueuePairType {
    /** Reliable connection. */
    RC,
    /** Unreliable datagram. */
    UD,
    /** QP1, the general services interface, of the port. Providers that cannot own it refuse to make one. */
    GSI
}
