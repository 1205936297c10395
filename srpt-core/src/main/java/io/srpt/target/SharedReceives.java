package io.srpt.target;

import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;

/**
 * The receives that the channels of a port share. It lives until it is retired and the last channel that used it has closed
 * its queue pair: queue pairs before the queue, the queue before its memory.
 *
 * <p>A channel's credits promise receives that other channels may have taken: then the initiator sees receiver-not-ready
 * NAKs and sends again. Threads: the port's loop.
 */
final class SharedReceives {
    private final SharedReceiveQueue queue;
    private final ReceiveRing ring;
    private int holders = 1;

    private SharedReceives(SharedReceiveQueue queue, ReceiveRing ring) {
        this.queue = queue;
        this.ring = ring;
    }

    /** Allocates and posts {@code slots} receives of {@code unitLength} bytes; all or nothing. */
    static SharedReceives open(
            ProtectionDomain protectionDomain, RdmaLoop loop, int slots, int unitLength, TargetCounters counters)
            throws VerbsException {
        SharedReceiveQueue queue = protectionDomain.createSharedReceiveQueue(loop, slots, 1);
        try {
            ReceiveRing ring = ChannelBuffers.receiveRing(protectionDomain, slots, unitLength, true, counters);
            ring.reset(0, queue::postReceive);
            ring.postAll();
            return new SharedReceives(queue, ring);
        } catch (VerbsException | RuntimeException e) {
            queue.close();
            throw e;
        }
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    ReceiveRing ring() {
        return ring;
    }

    /** A channel uses it from now on. */
    SharedReceives hold() {
        holders++;
        return this;
    }

    /** A channel, or the port, uses it no more. */
    void release() {
        if (--holders == 0) {
            queue.close();
            ring.forget();
            ring.close();
        }
    }
}
