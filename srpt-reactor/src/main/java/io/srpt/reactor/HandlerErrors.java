package io.srpt.reactor;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What handlers threw: the first of each handler is logged, all are counted. Any thread. */
public final class HandlerErrors {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerErrors.class);

    /** Who can throw. */
    public enum Handler {
        MAD_SEND("mad_send"),
        MAD_RECEIVE("mad_receive"),
        PORT_EVENT("port_event"),
        SHARED_RECEIVE_QUEUE("srq_event"),
        QUEUE_PAIR("qp_event"),
        CONNECTION("cm_event"),
        TARGET_EVENTS("target_events"),
        OBSERVER("observer");

        private final String label;

        Handler(String label) {
            this.label = label;
        }

        /** Its name in metrics and logs. */
        public String label() {
            return label;
        }
    }

    private final Map<Handler, AtomicLong> counts = new EnumMap<>(Handler.class);

    HandlerErrors() {
        for (Handler handler : Handler.values()) {
            counts.put(handler, new AtomicLong());
        }
    }

    /** How often {@code handler} threw. */
    public long count(Handler handler) {
        return counter(handler).get();
    }

    void onError(Handler handler, Throwable thrown) {
        if (counter(handler).getAndIncrement() == 0) {
            LOG.error("A {} handler threw; further errors are only counted", handler.label(), thrown);
        } else {
            LOG.debug("A {} handler threw", handler.label(), thrown);
        }
    }

    private AtomicLong counter(Handler handler) {
        AtomicLong counter = counts.get(handler);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + handler);
        }
        return counter;
    }
}
