package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.service.ComposeFile.Mount;
import io.srpt.service.ComposeFile.Service;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Target, Prometheus and Grafana of {@code docker/compose.yaml} find each other and what is mounted; without a container engine. */
class ComposeTest {
    private static final String ADDRESS = "192.0.2.1";
    private static final Pattern ENVIRONMENT = Pattern.compile("(?m)^ENV (\\w+)=(\\S+)$");
    private static final Path PROMETHEUS = ComposeFile.FOLDER.resolve("monitoring/prometheus.yml");

    private ComposeFile compose;
    private String dockerfile;

    @BeforeEach
    void read() throws Exception {
        compose = ComposeFile.read();
        Map<?, ?> build = compose.service("srpt").build();
        Path context = ComposeFile.FOLDER.resolve(String.valueOf(build.get("context")));
        assertThat(context.resolve("pom.xml")).exists();
        dockerfile = Files.readString(context.resolve(String.valueOf(build.get("dockerfile"))));
    }

    @Test
    void whatIsMountedExists() {
        TreeSet<String> used = new TreeSet<>();
        for (Service service : compose.services().values()) {
            for (Mount mount : service.mounts()) {
                if (mount.ofRepository()) {
                    assertThat(mount.path()).exists();
                } else {
                    used.add(mount.source());
                }
            }
        }
        assertThat(compose.volumes()).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void theImagesCommandTakesWhatTheTargetIsTold() throws Exception {
        assertThat(dockerfile).contains("ENTRYPOINT [\"/usr/lib/srpt/bin/srpt\"]");
        ServeConfiguration told = ShownCommands.configuration(
                compose.service("srpt").command(Map.of("SRPT_LISTEN", ADDRESS)), ofTheImage());
        assertThat(told.listen()).containsExactly(InetAddress.ofLiteral(ADDRESS));
        assertThat(told.luns()).hasSize(1);
        assertThat(compose.service("srpt").mounts())
                .containsExactly(new Mount("srpt-state", told.stateDirectory().toString()));
        assertThat(dockerfile).contains("\nVOLUME " + told.stateDirectory() + "\n");
    }

    @Test
    void theImagesCommandTakesTheExampleForHardware() throws Exception {
        Service example = ComposeFile.commented();
        Service service = compose.service("srpt");
        assertThat(ShownCommands.configuration(example.command(Map.of()), ofTheImage())
                        .runtime()
                        .provider()
                        .hardware())
                .isTrue();
        assertThat(example.build()).isEqualTo(service.build());
        assertThat(example.mounts()).isEqualTo(service.mounts());
        assertThat(example.onTheNetworkOfTheHost()).isTrue();
    }

    @Test
    void prometheusScrapesTheTargetAndKnowsTheRules() throws Exception {
        Service prometheus = compose.service("prometheus");
        assertThat(prometheus.seenAt(prometheus.option("--config.file"))).contains(PROMETHEUS);
        assertThat(prometheus.mounts()).extracting(Mount::target).contains(prometheus.option("--storage.tsdb.path"));
        Map<?, ?> says = ComposeFile.yaml(Files.readString(PROMETHEUS));
        assertThat((List<?>) says.get("rule_files"))
                .singleElement()
                .satisfies(file ->
                        assertThat(prometheus.seenAt(String.valueOf(file))).contains(MonitoringFiles.ALERTS));

        Map<?, ?> job = (Map<?, ?>) ((List<?>) says.get("scrape_configs")).getFirst();
        Map<?, ?> group = (Map<?, ?>) ((List<?>) job.get("static_configs")).getFirst();
        String http = Objects.requireNonNull(ofTheImage().get("SRPT_HTTP"));
        assertThat((List<?>) group.get("targets")).singleElement().isEqualTo(http);
        assertThat(Files.readString(MonitoringFiles.ALERTS)).contains("up{job=\"" + job.get("job_name") + "\"}");
        // That address is the host's for both of them.
        assertThat(compose.services().values()).allMatch(Service::onTheNetworkOfTheHost);
    }

    @Test
    void grafanaShowsTheDashboardWithThatPrometheus() throws Exception {
        Service grafana = compose.service("grafana");
        Path provisioning = grafana.seenAt("/etc/grafana/provisioning").orElseThrow();
        Map<?, ?> source = only(provisioning.resolve("datasources/srpt.yml"), "datasources");
        String listens = compose.service("prometheus").option("--web.listen-address");
        assertThat(URI.create(String.valueOf(source.get("url"))).getAuthority()).isEqualTo(listens);
        assertThat(source.get("type")).isEqualTo("prometheus");
        assertThat(source.get("isDefault")).isEqualTo(true);

        Map<?, ?> provider = only(provisioning.resolve("dashboards/srpt.yml"), "providers");
        String folder = String.valueOf(((Map<?, ?>) provider.get("options")).get("path"));
        Path dashboards = grafana.seenAt(folder).orElseThrow();
        String home = grafana.environment("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH");
        assertThat(grafana.seenAt(home)).contains(MonitoringFiles.DASHBOARD);
        assertThat(MonitoringFiles.DASHBOARD).hasParent(dashboards);
    }

    private static Map<?, ?> only(Path file, String key) throws Exception {
        List<?> all = (List<?>) ComposeFile.yaml(Files.readString(file)).get(key);
        assertThat(all).hasSize(1);
        return (Map<?, ?>) all.getFirst();
    }

    private Map<String, String> ofTheImage() {
        Map<String, String> environment = new HashMap<>();
        for (Matcher line = ENVIRONMENT.matcher(dockerfile); line.find(); ) {
            environment.put(line.group(1), line.group(2));
        }
        return environment;
    }
}
