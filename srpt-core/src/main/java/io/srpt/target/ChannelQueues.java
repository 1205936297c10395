package io.srpt.target;

import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queue pair of a channel with its completion queue. Port's loop. */
final class ChannelQueues {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelQueues.class);
    private static final int DRAIN_MARKER = 1;

    private final CompletionQueue completionQueue;
    private final QueuePair queuePair;
    private boolean closed;

    private ChannelQueues(CompletionQueue completionQueue, QueuePair queuePair) {
        this.completionQueue = completionQueue;
        this.queuePair = queuePair;
    }

    /**
     * Makes both, with the queue pair in RESET; all or nothing. If the device refuses a send queue of the size that is asked
     * for, half of it is tried, down to {@link ChannelAttributes#MIN_SEND_QUEUE_SIZE}.
     */
    static ChannelQueues open(
            RdmaPort port,
            ProtectionDomain protectionDomain,
            ChannelLimits limits,
            @Nullable SharedReceives shared,
            CompletionListener completions,
            QueuePairEventListener events)
            throws VerbsException {
        int sends = limits.sendSlots();
        // An initiator that ignores its credits can use up all shared receives, but must not overrun the queue.
        int receives = shared == null ? limits.receives() : shared.ring().slots();
        while (true) {
            CompletionQueue queue =
                    port.device().createCompletionQueue(port.loop(), sends + receives + DRAIN_MARKER, completions);
            try {
                QueuePairInit init = new QueuePairInit(
                        QueuePairType.RC,
                        queue,
                        queue,
                        shared == null ? null : shared.queue(),
                        sends,
                        shared == null ? receives : 0,
                        limits.segments(),
                        1,
                        events,
                        true);
                return new ChannelQueues(queue, protectionDomain.createQueuePair(init));
            } catch (VerbsException e) {
                queue.close();
                sends /= 2;
                if (sends < ChannelAttributes.MIN_SEND_QUEUE_SIZE) {
                    throw e;
                }
                LOG.debug("No send queue of {} work requests, trying {}", sends * 2, sends, e);
            }
        }
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /** Destroys both; no completion comes any more. Does nothing the second time. */
    void close() {
        if (!closed) {
            closed = true;
            queuePair.close();
            completionQueue.close();
        }
    }
}
