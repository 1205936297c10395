package io.srpt.roce.cm;

import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the connections of one manager share. */
record CmContext(
        RdmaPort port,
        RdmaLoop loop,
        CmSettings settings,
        CmWire wire,
        CmCounters counters,
        ConnectionTable table,
        QueuePairNumbers numbers,
        RandomGenerator random) {
    private static final Logger LOG = LoggerFactory.getLogger(CmContext.class);
    private static final int PSN_BITS = 24;

    /** The node's GUID. */
    long nodeGuid() {
        return port.device().attributes().nodeGuid();
    }

    /** RDMA READs that a queue pair can have outstanding either way. */
    int maxReads() {
        return Math.min(0xFF, port.device().attributes().maxReads());
    }

    /** A first PSN. */
    int randomPsn() {
        return random.nextInt() >>> Integer.SIZE - PSN_BITS;
    }

    /** Calls a consumer; what it throws must not stop the state machine. Returns whether it threw nothing. */
    boolean guarded(Runnable call) {
        try {
            call.run();
            return true;
        } catch (RuntimeException e) {
            counters.handlerFailures.increment();
            LOG.error("A connection handler failed", e);
            return false;
        }
    }
}
