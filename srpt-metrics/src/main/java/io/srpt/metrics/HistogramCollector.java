package io.srpt.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.srpt.counter.Histogram;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Shows the core's histograms to a Prometheus registry. Histograms of one label value, which ports have, are summed. A registry has
 * one for each metric: Micrometer does not know of it and cannot take it away, so other histograms take the place of the old ones.
 */
final class HistogramCollector implements Collector {
    private static final String SECONDS = "_seconds";
    private static final double NANOS_PER_SECOND = 1e9;

    /** Weak, so that a registry is not kept by it. */
    private static final Map<PrometheusRegistry, Map<Metric, HistogramCollector>> COLLECTORS = new WeakHashMap<>();

    private final Metric metric;
    private volatile Map<String, List<Histogram>> byLabel = Map.of();
    private final double unit;

    private HistogramCollector(Metric metric) {
        this.metric = metric;
        unit = metric.prometheusName().endsWith(SECONDS) ? NANOS_PER_SECOND : 1;
    }

    /** Has {@code registry} show these histograms for {@code metric}, and no others. */
    static void show(PrometheusRegistry registry, Metric metric, Map<String, List<Histogram>> byLabel) {
        HistogramCollector collector;
        synchronized (COLLECTORS) {
            collector = COLLECTORS
                    .computeIfAbsent(registry, any -> new EnumMap<>(Metric.class))
                    .computeIfAbsent(metric, any -> registered(registry, metric));
        }
        collector.byLabel = new LinkedHashMap<>(byLabel);
    }

    private static HistogramCollector registered(PrometheusRegistry registry, Metric metric) {
        HistogramCollector collector = new HistogramCollector(metric);
        registry.register(collector);
        return collector;
    }

    @Override
    public String getPrometheusName() {
        return metric.prometheusName();
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder snapshot =
                HistogramSnapshot.builder().name(metric.prometheusName()).help(metric.help());
        byLabel.forEach((label, histograms) -> {
            if (!histograms.isEmpty()) {
                snapshot.dataPoint(dataPoint(label, histograms));
            }
        });
        return snapshot.build();
    }

    private HistogramSnapshot.HistogramDataPointSnapshot dataPoint(String label, List<Histogram> histograms) {
        Histogram first = histograms.getFirst();
        double[] bounds = new double[first.boundedBuckets() + 1];
        long[] counts = new long[bounds.length];
        for (int index = 0; index < bounds.length; index++) {
            bounds[index] = index == first.boundedBuckets() ? Double.POSITIVE_INFINITY : first.bound(index) / unit;
            for (Histogram histogram : histograms) {
                counts[index] += histogram.count(index);
            }
        }
        double sum = histograms.stream().mapToLong(Histogram::sum).sum() / unit;
        Labels labels = metric.labels().isEmpty()
                ? Labels.EMPTY
                : Labels.of(metric.labels().getFirst(), label);
        return HistogramSnapshot.HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
                .sum(sum)
                .build();
    }
}
