package io.srpt.verbs;

/** Asynchronous events of one queue pair, on its loop ({@code srpt_qp_event} of the Linux driver). */
@FunctionalInterface
public interface QueuePairEventListener {
    /** Does nothing. */
    QueuePairEventListener IGNORE = (queuePair, event) -> {};

    /** Something happened to {@code queuePair}. Must not block; may post and change its state. */
    void onQueuePairEvent(QueuePair queuePair, Event event);

    /** What can happen to a queue pair outside its completions. */
    enum Event {
        /** The first packet came while the queue pair was in RTR or before the connection was established. */
        COMMUNICATION_ESTABLISHED,
        /** The queue pair went to the error state by itself (a fatal NAK sent or received, retries used up). */
        FATAL,
        /** With a shared receive queue: no more receives will be taken by this queue pair. */
        LAST_WORK_REQUEST_REACHED
    }
}
