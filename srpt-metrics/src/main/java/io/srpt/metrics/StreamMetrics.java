package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** What observers of event streams missed, and how often handlers threw. */
public final class StreamMetrics implements MeterBinder {
    private final Map<String, LongSupplier> drops;
    private final Map<String, LongSupplier> handlerErrors;

    /** Of streams and handlers by name; the suppliers are called from any thread. */
    public StreamMetrics(Map<String, LongSupplier> drops, Map<String, LongSupplier> handlerErrors) {
        this.drops = new TreeMap<>(drops);
        this.handlerErrors = new TreeMap<>(handlerErrors);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        drops.forEach((stream, count) -> meters.counter(Metric.EVENT_DROPS, count, stream));
        handlerErrors.forEach((handler, count) -> meters.counter(Metric.HANDLER_ERRORS, count, handler));
    }
}
