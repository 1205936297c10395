package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.metrics.Metric;
import io.srpt.service.MonitoringFiles.Alert;
import io.srpt.service.MonitoringFiles.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code docker/monitoring} asks for exists, and every alert is tested and has its line in the README. */
class MonitoringTest {
    private static final Set<String> KNOWN = new TreeSet<>(Set.of("up", "process_start_time_seconds"));

    @BeforeAll
    static void knowMetrics() {
        for (Metric metric : Metric.values()) {
            KNOWN.add(metric.prometheusName() + (metric.kind() == Metric.Kind.HISTOGRAM ? "_bucket" : ""));
        }
    }

    @Test
    void alertsAskForMetricsThatExist() throws Exception {
        for (Alert alert : MonitoringFiles.alerts()) {
            assertThat(MonitoringFiles.metricsOf(alert.expression()))
                    .as(alert.name())
                    .isNotEmpty()
                    .isSubsetOf(KNOWN);
        }
    }

    @Test
    void panelsAskForMetricsThatExist() throws Exception {
        assertThat(MonitoringFiles.queries()).hasSizeGreaterThan(30);
        for (Query query : MonitoringFiles.queries()) {
            assertThat(MonitoringFiles.metricsOf(query.expression()))
                    .as(query.panel())
                    .isNotEmpty()
                    .isSubsetOf(KNOWN);
        }
    }

    @Test
    void everyAlertIsSeenToFireAndToStaySilent() throws Exception {
        List<String> names =
                MonitoringFiles.alerts().stream().map(Alert::name).sorted().toList();
        assertThat(MonitoringFiles.tested(true)).containsExactlyElementsOf(names);
        assertThat(MonitoringFiles.tested(false)).containsExactlyElementsOf(names);
    }

    @Test
    void everyAlertHasALineInTheRunbook() throws Exception {
        String readme = Files.readString(Path.of("../README.md"));
        for (Alert alert : MonitoringFiles.alerts()) {
            assertThat(readme).contains("| `" + alert.name() + "` |");
        }
    }
}
