package io.srpt.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.srpt.counter.Histogram;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @ParameterizedTest
    @EnumSource(Metric.class)
    void hasTheNameInPrometheusThatItSays(Metric metric) {
        Meters meters = new Meters(registry);
        String[] values = metric.labels().stream().map(label -> "v-" + label).toArray(String[]::new);
        switch (metric.kind()) {
            case COUNTER -> meters.counter(metric, () -> 3, values);
            case GAUGE -> meters.gauge(metric, () -> 3, values);
            case HISTOGRAM ->
                meters.histograms(
                        metric, Map.of(metric.labels().isEmpty() ? "" : values[0], List.of(Histogram.ofLatencies())));
        }

        String type = metric.kind().name().toLowerCase(java.util.Locale.ROOT);
        assertThat(registry.scrape().lines())
                .contains("# TYPE " + metric.prometheusName() + " " + type)
                .contains("# HELP " + metric.prometheusName() + " " + metric.help())
                .filteredOn(line -> !line.startsWith("#"))
                .allMatch(line -> line.startsWith(metric.prometheusName()))
                .allMatch(line ->
                        metric.labels().stream().allMatch(label -> line.contains(label + "=\"v-" + label + "\"")));
    }

    @Test
    void showsAHistogramInSecondsWithCumulativeBuckets() {
        Histogram one = Histogram.ofLatencies();
        Histogram other = Histogram.ofLatencies();
        one.record(20_000);
        other.record(20_000_000);
        new Meters(registry).histograms(Metric.COMMAND_DURATION, Map.of("read", List.of(one, other)));

        assertThat(registry.scrape().lines())
                .contains(
                        "srpt_command_duration_seconds_bucket{op=\"read\",le=\"1.0E-5\"} 0",
                        "srpt_command_duration_seconds_bucket{op=\"read\",le=\"2.5E-5\"} 1",
                        "srpt_command_duration_seconds_bucket{op=\"read\",le=\"0.025\"} 2",
                        "srpt_command_duration_seconds_bucket{op=\"read\",le=\"10.0\"} 2",
                        "srpt_command_duration_seconds_bucket{op=\"read\",le=\"+Inf\"} 2",
                        "srpt_command_duration_seconds_count{op=\"read\"} 2",
                        "srpt_command_duration_seconds_sum{op=\"read\"} 0.02002");
    }

    @Test
    void givesOtherRegistriesCountAndSumOfAHistogram() {
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        CompositeMeterRegistry composite =
                new CompositeMeterRegistry().add(simple).add(registry);
        Histogram histogram = Histogram.ofLatencies();
        histogram.record(1_000_000_000);
        new Meters(composite).histograms(Metric.COMMAND_DURATION, Map.of("read", List.of(histogram)));

        FunctionTimer timer =
                simple.get("srpt.command.duration.seconds").tag("op", "read").functionTimer();
        assertThat(timer.count()).isOne();
        assertThat(timer.totalTime(java.util.concurrent.TimeUnit.SECONDS)).isOne();
        assertThat(registry.scrape()).contains("srpt_command_duration_seconds_count{op=\"read\"} 1");
    }
}
