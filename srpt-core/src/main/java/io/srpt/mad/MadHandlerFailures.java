package io.srpt.mad;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts handlers of consumers that throw, and logs the first in full. Threads: the port's loop. */
final class MadHandlerFailures {
    private static final Logger LOG = LoggerFactory.getLogger(MadHandlerFailures.class);

    private final MadCounters counters;

    MadHandlerFailures(MadCounters counters) {
        this.counters = counters;
    }

    void report(String which, RuntimeException failure) {
        counters.handlerFailures.increment();
        if (counters.handlerFailures.get() == 1) {
            LOG.error("A MAD {} handler failed; further failures are only counted", which, failure);
        } else {
            LOG.debug("A MAD {} handler failed", which, failure);
        }
    }
}
