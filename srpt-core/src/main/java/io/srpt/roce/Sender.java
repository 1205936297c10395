package io.srpt.roce;

/** A queue pair as its {@link RocePeer} sees it: something that may have packets to send. On its loop. */
interface Sender {
    /** Notes whether it is among those that are asked next. Whether that is a change. */
    boolean markScheduled(boolean value);

    /** Sends what it has of the kind that {@code pass} is for, as far as the peer and the network take it. */
    void transmit(SendPass pass);

    /** Asks for {@link #transmit} at the end of the turn. */
    void schedule();
}
