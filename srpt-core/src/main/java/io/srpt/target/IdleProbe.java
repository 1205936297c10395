package io.srpt.target;

import io.srpt.time.Deadline;
import io.srpt.verbs.RdmaLoop;
import java.time.Duration;

/**
 * Finds initiators that are gone without a word: a connection on which nothing is under way notices nothing, so its channel
 * would be held for ever. Now and then it gets an RDMA WRITE of no bytes, which needs neither a receive nor a key of the
 * initiator, and which the queue pair gives up after its retries if nobody is there.
 *
 * <p>Threads: the port's loop.
 */
final class IdleProbe {
    private static final long PERIOD_NANOS = Duration.ofSeconds(30).toNanos();

    private final RdmaLoop loop;
    private final SendQueue sendQueue;
    private final Deadline timer = new Deadline() {
        @Override
        protected void onDeadline() {
            // Where work is under way, that finds it.
            sendQueue.postProbe();
            start();
        }
    };

    IdleProbe(RdmaLoop loop, SendQueue sendQueue) {
        this.loop = loop;
        this.sendQueue = sendQueue;
    }

    void start() {
        loop.schedule(timer, loop.nanoTime() + PERIOD_NANOS);
    }

    void stop() {
        loop.cancel(timer);
    }
}
