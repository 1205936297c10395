package io.srpt.mad;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the {@link MadReplyInterceptor} of a service. Port's loop. */
final class MadReplyFaults {
    private static final Logger LOG = LoggerFactory.getLogger(MadReplyFaults.class);

    private final String port;
    private final MadCounters counters;
    private final MadReplyInterceptor interceptor;
    private final MadHeader header = new MadHeader();
    private boolean logged;

    MadReplyFaults(String port, MadCounters counters, MadReplyInterceptor interceptor) {
        this.port = port;
        this.counters = counters;
        this.interceptor = interceptor;
    }

    /** What happens to the datagram in {@code buffer}: PASS for all that is no reply. */
    MadReplyFault ask(MadBuffer buffer, MadAddress to) {
        header.wrap(buffer.buffer(), MadBuffer.MAD_OFFSET);
        if (!header.isResponse()) {
            return MadReplyFault.PASS;
        }
        MadReply reply = new MadReply(
                port,
                header.managementClass(),
                header.method(),
                header.attributeId(),
                header.attributeModifier(),
                header.status(),
                header.transactionId(),
                to);
        try {
            MadReplyFault fault = interceptor.intercept(reply);
            if (fault.kind() != MadReplyFault.Kind.PASS) {
                counters.faultsInjected.increment();
                LOG.debug("{}: {}: {}", port, reply, fault);
            }
            return fault;
        } catch (RuntimeException e) {
            counters.handlerFailures.increment();
            if (!logged) {
                logged = true;
                LOG.warn("{}: the reply interceptor failed; further failures are only counted", port, e);
            }
            return MadReplyFault.PASS;
        }
    }
}
