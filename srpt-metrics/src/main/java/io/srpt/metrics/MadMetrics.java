package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.counter.Histogram;
import io.srpt.mad.MadAttribute;
import io.srpt.mad.MadCounters;
import io.srpt.mad.MadReceiveResult;
import io.srpt.mad.MadService;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Management datagrams of ports. */
public final class MadMetrics implements MeterBinder {
    private final Map<String, MadService> ports;

    /** Of these ports, by name. */
    public MadMetrics(Map<String, MadService> ports) {
        this.ports = Map.copyOf(ports);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        ports.forEach((port, mads) -> port(meters, port, mads));
        meters.counter(
                Metric.MAD_BUFFERS_RELEASED, sum(counters -> counters.releasedByHandler.get()), "handler");
        meters.counter(
                Metric.MAD_BUFFERS_RELEASED, sum(counters -> counters.releasedByFallback.get()), "fallback");
        meters.counter(Metric.HANDLER_ERRORS, sum(counters -> counters.handlerFailures.get()), "mad");
        for (MadAttribute attribute : MadAttribute.values()) {
            receives(meters, attribute);
        }
        List<Histogram> durations =
                ports.values().stream().map(mads -> mads.counters().sendNanos).toList();
        meters.histograms(Metric.MAD_SEND_DURATION, Map.of("", durations));
    }

    private static void port(Meters meters, String port, MadService mads) {
        MadCounters counters = mads.counters();
        for (WorkCompletionStatus status : WorkCompletionStatus.values()) {
            meters.counter(
                    Metric.MAD_SEND_COMPLETIONS, counters.completions(status)::get, port, Meters.label(status));
        }
        meters.gauge(
                Metric.MAD_BUFFERS_OUTSTANDING,
                () -> counters.addressHandles.get() + counters.receivesHeld.get(),
                port);
    }

    /** Only what can happen: a datagram that is not read has no attribute, and one that is, has one. */
    private void receives(Meters meters, MadAttribute attribute) {
        for (MadReceiveResult result : MadReceiveResult.values()) {
            if (result.isUnread() == (attribute == MadAttribute.NONE)) {
                meters.counter(
                        Metric.MAD_RECEIVE,
                        sum(counters -> counters.receives(attribute, result).get()),
                        Meters.label(attribute),
                        Meters.label(result));
            }
        }
    }

    private LongSupplier sum(ToLongFunction<MadCounters> part) {
        return () -> ports.values().stream()
                .map(MadService::counters)
                .mapToLong(part)
                .sum();
    }
}
