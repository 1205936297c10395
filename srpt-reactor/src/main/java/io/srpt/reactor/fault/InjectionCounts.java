package io.srpt.reactor.fault;

import java.util.concurrent.atomic.LongAdder;

/** What happened in the pipelines of a {@link FaultInjection}. Any thread. */
final class InjectionCounts {
    private final LongAdder injected = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder errors = new LongAdder();

    void injected() {
        injected.increment();
    }

    void late() {
        late.increment();
    }

    void error() {
        errors.increment();
    }

    long injectedTotal() {
        return injected.sum();
    }

    long lateTotal() {
        return late.sum();
    }

    long errorTotal() {
        return errors.sum();
    }
}
