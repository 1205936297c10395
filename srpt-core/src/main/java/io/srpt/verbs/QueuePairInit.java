package io.srpt.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is made with.
 *
 * @param type its transport service
 * @param sendQueue where sends complete; its loop owns the queue pair
 * @param receiveQueue where receives complete; of the same loop
 * @param sharedReceives takes receives from there instead of a queue of its own
 * @param maxSendRequests slots of the send queue
 * @param maxReceiveRequests slots of the receive queue, 0 with {@code sharedReceives}
 * @param maxSendSegments scatter-gather elements of a send
 * @param maxReceiveSegments scatter-gather elements of a receive
 * @param listener who is told of asynchronous events of the queue pair
 * @param anyReceiveOrder whether receives of its own may take messages, and be flushed, in any order, not only in that in which
 *     they were posted: a provider in software then uses first what the processor has in its caches
 */
public record QueuePairInit(
        QueuePairType type,
        CompletionQueue sendQueue,
        CompletionQueue receiveQueue,
        @Nullable SharedReceiveQueue sharedReceives,
        int maxSendRequests,
        int maxReceiveRequests,
        int maxSendSegments,
        int maxReceiveSegments,
        QueuePairEventListener listener,
        boolean anyReceiveOrder) {

    /** With receives in the order in which they were posted. */
    public QueuePairInit(
            QueuePairType type,
            CompletionQueue sendQueue,
            CompletionQueue receiveQueue,
            @Nullable SharedReceiveQueue sharedReceives,
            int maxSendRequests,
            int maxReceiveRequests,
            int maxSendSegments,
            int maxReceiveSegments,
            QueuePairEventListener listener) {
        this(
                type,
                sendQueue,
                receiveQueue,
                sharedReceives,
                maxSendRequests,
                maxReceiveRequests,
                maxSendSegments,
                maxReceiveSegments,
                listener,
                false);
    }

    /** A reliable connection with receives of its own and one completion queue for both directions. */
    public static QueuePairInit connected(
            CompletionQueue queue, int maxSends, int maxReceives, int maxSegments, QueuePairEventListener listener) {
        return new QueuePairInit(
                QueuePairType.RC, queue, queue, null, maxSends, maxReceives, maxSegments, maxSegments, listener);
    }

    /** A datagram or GSI queue pair with one completion queue for both directions. */
    public static QueuePairInit datagram(QueuePairType type, CompletionQueue queue, int maxSends, int maxReceives) {
        return new QueuePairInit(type, queue, queue, null, maxSends, maxReceives, 2, 2, QueuePairEventListener.IGNORE);
    }
}
