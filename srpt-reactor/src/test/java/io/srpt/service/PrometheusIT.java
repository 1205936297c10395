package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.srpt.metrics.Metric;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real Prometheus scrapes a running service under load. Skipped where Debian's package {@code prometheus} is not
 * installed, unless {@code -Dsrpt.prometheus=required}.
 */
class PrometheusIT {
    private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
    private static final String TARGET = "127.44.4.1";
    private static final int SECONDS = 30;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private int prometheusPort;

    @BeforeEach
    void needPrometheus() {
        String mode = System.getProperty("srpt.prometheus", "auto");
        assumeTrue(!mode.equals("off"), "switched off by -Dsrpt.prometheus=off");
        if (!mode.equals("required")) {
            assumeTrue(Files.isExecutable(PROMETHEUS), "Debian's package prometheus is not installed");
        }
    }

    @Test
    void scrapesWhatTheLoadGeneratorSaysThatItDid() throws Exception {
        int servicePort = ServeProcess.freePort();
        prometheusPort = ServeProcess.freePort();
        try (ServeProcess serve = serve(servicePort);
                ServeProcess prometheus = prometheus(servicePort);
                ServeProcess bench = bench()) {
            assertThat(bench.exitCode()).as(bench.err()).isZero();
            JsonNode did = JsonMapper.shared().readTree(bench.out());
            assertThat(did.get("total_reads").asLong()).isPositive();
            assertThat(did.get("total_writes").asLong()).isPositive();

            String commands = "srpt_commands_total{lun=\"0\",status=\"good\",op=\"%s\"}";
            awaitValue(
                    prometheus,
                    commands.formatted("read"),
                    did.get("total_reads").asLong());
            awaitValue(
                    prometheus,
                    commands.formatted("write"),
                    did.get("total_writes").asLong());
            awaitValue(
                    prometheus,
                    "srpt_bytes_total{lun=\"0\",direction=\"read\"}",
                    did.get("total_reads").asLong() * did.get("block_size").asLong());
            awaitValue(
                    prometheus,
                    "srpt_command_duration_seconds_count{op=\"write\"}",
                    did.get("total_writes").asLong());
            awaitValue(prometheus, "sum(srpt_commands_total{status!=\"good\",op=~\"read|write\"})", 0);
            awaitValue(prometheus, "up{job=\"srpt\"}", 1);
            assertThat(value("max_over_time(srpt_channels{state=\"live\"}[2m])"))
                    .isOne();
            assertThat(value(
                            "histogram_quantile(0.5, sum by (le) (srpt_command_duration_seconds_bucket{op=\"read\"}))"))
                    .isBetween(1e-6, 1.0);
            assertThat(names()).containsAll(expectedNames());
            everyPanelShowsSomething();
            panelSaysWhatTheLoadGeneratorSays(
                    "IOPS",
                    did.get("total_reads").asLong() + did.get("total_writes").asLong());
            panelSaysWhatTheLoadGeneratorSays(
                    "Throughput",
                    (did.get("total_reads").asLong() + did.get("total_writes").asLong())
                            * did.get("block_size").asLong());

            check(servicePort);
            serve.terminate();
            assertThat(serve.exitCode()).isZero();
        }
    }

    private ServeProcess serve(int port) throws Exception {
        ServeProcess serve = ServeProcess.srpt(
                directory,
                "serve",
                List.of(
                        "serve",
                        "--lun",
                        "memory:16MiB",
                        "--listen",
                        TARGET,
                        "--http",
                        "127.0.0.1:" + port,
                        "--state-dir",
                        directory.toString()));
        serve.await("ready", () -> serve.out().contains("id_ext="));
        return serve;
    }

    private ServeProcess prometheus(int servicePort) throws Exception {
        Path file = Files.writeString(directory.resolve("prometheus.yml"), """
                global:
                  scrape_interval: 1s
                scrape_configs:
                  - job_name: srpt
                    static_configs:
                      - targets: ['127.0.0.1:%d']
                """.formatted(servicePort));
        ServeProcess prometheus = ServeProcess.start(
                directory,
                "prometheus",
                List.of(
                        PROMETHEUS.toString(),
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + prometheusPort));
        prometheus.await("scraping", () -> value("up{job=\"srpt\"}") == 1);
        return prometheus;
    }

    private ServeProcess bench() throws Exception {
        return ServeProcess.srpt(
                directory,
                "bench",
                List.of(
                        "bench",
                        TARGET,
                        "--local",
                        "127.44.4.2",
                        "--mix",
                        "70",
                        "--json",
                        "--warmup",
                        "1",
                        "--seconds",
                        Integer.toString(SECONDS)));
    }

    @Test
    void takesTheAlertRulesAndTheirTestsPass() throws Exception {
        Path rules = Files.copy(MonitoringFiles.ALERTS, directory.resolve("alerts.yml"));
        Path tests = Files.copy(MonitoringFiles.ALERTS_TEST, directory.resolve("alerts-test.yml"));
        assertThat(promtool("check", "rules", rules.toString())).contains("SUCCESS");
        assertThat(promtool("test", "rules", tests.toString())).contains("SUCCESS");
    }

    @Test
    void takesTheConfigurationOfTheComposeFile() throws Exception {
        Path rules = Files.copy(MonitoringFiles.ALERTS, directory.resolve("alerts.yml"));
        String text = Files.readString(ComposeFile.FOLDER.resolve("monitoring/prometheus.yml"));
        Path file = Files.writeString(
                directory.resolve("prometheus.yml"), text.replace("/etc/prometheus/alerts.yml", rules.toString()));
        assertThat(promtool("check", "config", file.toString())).contains("SUCCESS: 1 rule files found", "is valid");
    }

    private String promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("/usr/bin/promtool"));
        command.addAll(List.of(arguments));
        ServeProcess promtool = ServeProcess.start(directory, "promtool-" + arguments[0], command);
        assertThat(promtool.exitCode()).as(promtool.out() + promtool.err()).isZero();
        return promtool.out();
    }

    /** Every query of the dashboard, asked for the middle of the run. */
    private void everyPanelShowsSomething() throws Exception {
        long middle = Instant.now().getEpochSecond() - SECONDS / 2;
        for (MonitoringFiles.Query query : MonitoringFiles.queries()) {
            assertThat(result(query.over("10s"), middle))
                    .as("%s: %s", query.panel(), query.expression())
                    .isNotEmpty();
        }
    }

    /** The rate over a time that holds the whole run, times its length, is what was done; a scrape more or less apart. */
    private void panelSaysWhatTheLoadGeneratorSays(String panel, long done) throws Exception {
        MonitoringFiles.Query query = MonitoringFiles.queries().stream()
                .filter(each -> each.panel().equals(panel))
                .findFirst()
                .orElseThrow();
        long window = 2 * SECONDS;
        JsonNode rates = result(query.over(window + "s"), Instant.now().getEpochSecond());
        assertThat(rates).hasSize(1);
        double rate = Double.parseDouble(rates.get(0).at("/value/1").asString());
        assertThat(rate * window).isCloseTo(done, withinPercentage(5));
    }

    /** Metrics that are there whatever happened; a histogram by its count. */
    private static Set<String> expectedNames() {
        Set<String> names = new TreeSet<>();
        for (Metric metric : Metric.values()) {
            names.add(metric.prometheusName() + (metric.kind() == Metric.Kind.HISTOGRAM ? "_count" : ""));
        }
        return names;
    }

    private Set<String> names() throws Exception {
        Set<String> names = new TreeSet<>();
        JsonNode all = JsonMapper.shared()
                .readTree(ServeProcess.get(
                        client, "http://127.0.0.1:" + prometheusPort + "/api/v1/label/__name__/values"));
        all.get("data").forEach(name -> names.add(name.asString()));
        return names;
    }

    private void awaitValue(ServeProcess prometheus, String query, long expected) throws Exception {
        prometheus.await(query + " " + expected, () -> value(query) == (double) expected);
    }

    /** The one value that {@code query} has now, NaN without one. */
    private double value(String query) throws Exception {
        JsonNode result = result(query, Instant.now().getEpochSecond());
        return result.size() == 1
                ? Double.parseDouble(result.get(0).at("/value/1").asString())
                : Double.NaN;
    }

    /** What {@code query} gives for a time in seconds since 1970; nothing while Prometheus does not answer. */
    private JsonNode result(String query, long time) throws Exception {
        String body = ServeProcess.get(
                client,
                "http://127.0.0.1:" + prometheusPort + "/api/v1/query?time=" + time + "&query="
                        + URLEncoder.encode(query, StandardCharsets.UTF_8));
        return JsonMapper.shared().readTree(body.startsWith("{") ? body : "{}").at("/data/result");
    }

    private void check(int port) throws Exception {
        Path scrape = Files.writeString(
                directory.resolve("scrape"), ServeProcess.get(client, "http://127.0.0.1:" + port + "/metrics"));
        Process promtool = new ProcessBuilder("/usr/bin/promtool", "check", "metrics")
                .redirectInput(scrape.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(promtool.waitFor()).isZero();
    }
}
