package io.srpt.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files that {@code docker/monitoring} gives to Prometheus and Grafana, and the tests of the alert rules. */
final class MonitoringFiles {
    static final Path ALERTS = Path.of("../docker/monitoring/alerts.yml");
    static final Path ALERTS_TEST = Path.of("src/test/resources/monitoring/alerts-test.yml");
    static final Path DASHBOARD = Path.of("../docker/monitoring/grafana/dashboards/srpt.json");

    private static final Pattern NAME = Pattern.compile("\\b((?:srpt|process|jvm)_\\w+|up|ALERTS)\\b(?=[{\\[ )]|$)");

    private MonitoringFiles() {}

    /** An alert rule. */
    record Alert(String name, String expression) {}

    /** One query of the dashboard, as Grafana would send it for all instances. */
    record Query(String panel, String expression) {
        /** The query with {@code $__rate_interval} set. */
        String over(String rateInterval) {
            return expression.replace("$__rate_interval", rateInterval).replace("$instance", ".+");
        }
    }

    static List<Alert> alerts() throws IOException {
        List<Alert> alerts = new ArrayList<>();
        for (Map<?, ?> group : maps(yaml(ALERTS).get("groups"))) {
            for (Map<?, ?> rule : maps(group.get("rules"))) {
                alerts.add(new Alert(String.valueOf(rule.get("alert")), String.valueOf(rule.get("expr"))));
            }
        }
        return alerts;
    }

    /** Names of the alerts that the tests expect to fire ({@code firing}), or to stay silent. */
    static Set<String> tested(boolean firing) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Map<?, ?> test : maps(yaml(ALERTS_TEST).get("tests"))) {
            for (Map<?, ?> rule : maps(test.get("alert_rule_test"))) {
                if (maps(rule.get("exp_alerts")).isEmpty() != firing) {
                    names.add(String.valueOf(rule.get("alertname")));
                }
            }
        }
        return names;
    }

    static List<Query> queries() throws IOException {
        List<Query> queries = new ArrayList<>();
        JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DASHBOARD));
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(new Query(
                        panel.get("title").asString(), target.get("expr").asString()));
            }
        }
        return queries;
    }

    /** Names of the metrics that an expression asks for. */
    static Set<String> metricsOf(String expression) {
        Set<String> names = new TreeSet<>();
        for (Matcher name = NAME.matcher(expression); name.find(); ) {
            names.add(name.group(1));
        }
        return names;
    }

    private static Map<?, ?> yaml(Path file) throws IOException {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<?, ?>> maps(Object list) {
        return (List<Map<?, ?>>) list;
    }
}
