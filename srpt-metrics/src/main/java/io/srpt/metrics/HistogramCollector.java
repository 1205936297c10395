package io.srpt.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.srpt.counter.Histogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows the core's histograms to a Prometheus registry. Histograms of one label value, which ports have, are summed. */
final class HistogramCollector implements Collector {
    private static final String SECONDS = "_seconds";
    private static final double NANOS_PER_SECOND = 1e9;

    private final Metric metric;
    private final Map<String, List<Histogram>> byLabel;
    private final double unit;

    HistogramCollector(Metric metric, Map<String, List<Histogram>> byLabel) {
        this.metric = metric;
        this.byLabel = new LinkedHashMap<>(byLabel);
        unit = metric.prometheusName().endsWith(SECONDS) ? NANOS_PER_SECOND : 1;
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
