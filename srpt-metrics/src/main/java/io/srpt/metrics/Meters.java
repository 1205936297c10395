package io.srpt.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.srpt.counter.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Registers meters of {@link Metric}s. What a meter reads is held as long as the meter is registered. */
final class Meters {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;

    Meters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** A counter that reads {@code value}, with label values in the order of the metric's labels. */
    void counter(Metric metric, LongSupplier value, String... labelValues) {
        counter(metric, 1, value, labelValues);
    }

    /** A counter in seconds of {@code nanos}. */
    void seconds(Metric metric, LongSupplier nanos, String... labelValues) {
        counter(metric, 1 / NANOS_PER_SECOND, nanos, labelValues);
    }

    private void counter(Metric metric, double factor, LongSupplier value, String... labelValues) {
        // Micrometer holds the object weakly and the function strongly: the registry itself never goes away too early.
        FunctionCounter.builder(metric.meterName(), registry, any -> value.getAsLong() * factor)
                .description(metric.help())
                .tags(tags(metric, labelValues))
                .register(registry);
    }

    /** A gauge that reads {@code value}. */
    void gauge(Metric metric, DoubleSupplier value, String... labelValues) {
        Gauge.builder(metric.meterName(), value::getAsDouble)
                .description(metric.help())
                .tags(tags(metric, labelValues))
                .strongReference(true)
                .register(registry);
    }

    /**
     * A histogram for each value of the metric's one label, or one without label for the key "". Of values in nanoseconds
     * where the metric is in seconds. A Prometheus registry gets the buckets; any other count and sum.
     */
    void histograms(Metric metric, Map<String, List<Histogram>> byLabel) {
        histograms(registry, metric, byLabel);
    }

    private static void histograms(MeterRegistry to, Metric metric, Map<String, List<Histogram>> byLabel) {
        switch (to) {
            case CompositeMeterRegistry composite ->
                composite.getRegistries().forEach(each -> histograms(each, metric, byLabel));
            case PrometheusMeterRegistry prometheus ->
                HistogramCollector.show(prometheus.getPrometheusRegistry(), metric, byLabel);
            default ->
                byLabel.forEach((label, histograms) -> FunctionTimer.builder(
                                metric.meterName(),
                                to,
                                any -> sum(histograms, Histogram::count),
                                any -> sum(histograms, Histogram::sum),
                                TimeUnit.NANOSECONDS)
                        .description(metric.help())
                        .tags(metric.labels().isEmpty() ? Tags.empty() : tags(metric, label))
                        .register(to));
        }
    }

    private static long sum(List<Histogram> histograms, java.util.function.ToLongFunction<Histogram> part) {
        return histograms.stream().mapToLong(part).sum();
    }

    static Tags tags(Metric metric, String... values) {
        if (values.length != metric.labels().size()) {
            throw new IllegalArgumentException(metric + " has labels " + metric.labels());
        }
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            tags.add(Tag.of(metric.labels().get(i), values[i]));
        }
        return Tags.of(tags);
    }

    /** A constant's name as a label value. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
