package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.counter.Counter;
import io.srpt.counter.Histogram;
import io.srpt.mad.MadAttribute;
import io.srpt.mad.MadCounters;
import io.srpt.mad.MadReceiveResult;
import io.srpt.mad.MadService;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Management datagrams of ports. */
public final class MadMetrics implements MeterBinder {
    private final List<Port> ports;

    /**
     * The datagrams of one port.
     *
     * @param name of the port
     * @param service its datagrams
     * @param completions the counter of send completions with a status, which belongs to who handles them
     * @param fallbackReleases sends that were released in their handler's place, apart from those by {@code service}
     */
    public record Port(
            String name,
            MadService service,
            Function<WorkCompletionStatus, Counter> completions,
            LongSupplier fallbackReleases) {
        private MadCounters counters() {
            return service.counters();
        }

        private long fallback() {
            return counters().fallbackReleases.get() + fallbackReleases.getAsLong();
        }

        private long outstanding() {
            MadCounters counters = counters();
            return counters.addressHandles.get() + counters.received.get() - counters.receivesReleased.get();
        }
    }

    public MadMetrics(List<Port> ports) {
        this.ports = List.copyOf(ports);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        for (Port port : ports) {
            for (WorkCompletionStatus status : WorkCompletionStatus.values()) {
                Counter completions = port.completions.apply(status);
                meters.counter(Metric.MAD_SEND_COMPLETIONS, completions::get, port.name, Meters.label(status));
            }
            meters.gauge(Metric.MAD_BUFFERS_OUTSTANDING, port::outstanding, port.name);
        }
        meters.counter(
                Metric.MAD_BUFFERS_RELEASED,
                sum(port -> Math.max(0, port.counters().sendsReleased.get() - port.fallback())),
                "handler");
        meters.counter(Metric.MAD_BUFFERS_RELEASED, sum(Port::fallback), "fallback");
        meters.counter(Metric.HANDLER_ERRORS, sum(port -> port.counters().handlerFailures.get()), "mad");
        for (MadAttribute attribute : MadAttribute.values()) {
            receives(meters, attribute);
        }
        List<Histogram> durations =
                ports.stream().map(port -> port.counters().sendNanos).toList();
        meters.histograms(Metric.MAD_SEND_DURATION, Map.of("", durations));
    }

    /** Only what can happen: a datagram that is not read has no attribute, and one that is, has one. */
    private void receives(Meters meters, MadAttribute attribute) {
        for (MadReceiveResult result : MadReceiveResult.values()) {
            if (result.isUnread() == (attribute == MadAttribute.NONE)) {
                meters.counter(
                        Metric.MAD_RECEIVE,
                        sum(port -> port.counters().receives(attribute, result).get()),
                        Meters.label(attribute),
                        Meters.label(result));
            }
        }
    }

    private LongSupplier sum(ToLongFunction<Port> part) {
        return () -> ports.stream().mapToLong(part).sum();
    }
}
