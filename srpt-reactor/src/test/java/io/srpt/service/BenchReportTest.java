package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.SrpBenchResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchReportTest {
    private final List<String> phases = new ArrayList<>();
    private final BenchReport report = new BenchReport(phases::add);
    private final SrpBenchResult result = new SrpBenchResult(700, 300, 4096, 500_000_000, 0, null, 800, 310, false);

    @Test
    void beginsWithTheRate() {
        recordOneToThousandMicros();

        assertThat(report.text(result).lines())
                .startsWith("2000 IOPS", "8.2 MB/s")
                .anyMatch(line -> line.startsWith("latency in us: p50 500."))
                .last()
                .isEqualTo("700 reads, 300 writes of 4096 bytes in 0.50 s, 0 errors");
    }

    @Test
    void writesJsonForPrograms() {
        recordOneToThousandMicros();

        JsonNode json = JsonMapper.shared().readTree(report.json(result));
        assertThat(json.get("iops").doubleValue()).isEqualTo(2000);
        assertThat(json.get("bytes_per_second").doubleValue()).isEqualTo(2000 * 4096.0);
        assertThat(json.get("latency_us").get("p99").doubleValue()).isBetween(989.0, 992.0);
        assertThat(json.get("latency_us").get("max").doubleValue()).isBetween(999.0, 1001.0);
    }

    @Test
    void tellsOfEachPhase() {
        report.onLoggedIn(10, 200);
        report.onMeasuring();
        report.onMeasured();

        assertThat(phases).containsExactly("logged in: 10 channels, 200.0 a second", "measuring", "measured");
        JsonNode json = JsonMapper.shared().readTree(report.json(result));
        assertThat(json.get("channels").intValue()).isEqualTo(10);
        assertThat(json.get("logins_per_second").doubleValue()).isEqualTo(200);
    }

    private void recordOneToThousandMicros() {
        for (int micros = 1; micros <= 1000; micros++) {
            report.record(micros * 1000L, true);
        }
    }
}
