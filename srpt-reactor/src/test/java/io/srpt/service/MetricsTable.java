package io.srpt.service;

import io.srpt.metrics.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The README's table of metrics, from the README, from a scrape, and from the catalogue. */
final class MetricsTable {
    static final String BEGIN = "<!-- metrics -->\n";
    static final String END = "<!-- /metrics -->";

    private static final Pattern ROW = Pattern.compile("\\| `(srpt_\\w+)` \\| (\\w+) \\| (.*?) \\| .* \\|");
    private static final Pattern TYPE = Pattern.compile("# TYPE (srpt_\\w+) (\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("(srpt_\\w+?)(?:_bucket|_count|_sum)?(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");

    private MetricsTable() {}

    /** Type and labels by name, as the README says. */
    static Map<String, String> ofReadme(Path readme) throws IOException {
        String text = Files.readString(readme);
        String table = text.substring(text.indexOf(BEGIN), text.indexOf(END));
        Map<String, String> rows = new TreeMap<>();
        for (Matcher row = ROW.matcher(table); row.find(); ) {
            rows.put(row.group(1), row.group(2) + " " + row.group(3).replace("`", ""));
        }
        return rows;
    }

    /** Type and labels by name, as they come over the wire. */
    static Map<String, String> ofScrape(String scrape) {
        Map<String, String> types = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String line : scrape.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (sample.matches()) {
                Set<String> names = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
                for (Matcher label = LABEL.matcher(String.valueOf(sample.group(2))); label.find(); ) {
                    names.add(label.group(1));
                }
            }
        }
        types.replaceAll((name, type) -> {
            Set<String> names = labels.getOrDefault(name, Set.of());
            names.remove("le");
            return type + " " + String.join(", ", names);
        });
        return types;
    }

    /** The table as it should be in the README. */
    static String ofMetrics() {
        StringBuilder text = new StringBuilder(BEGIN);
        text.append("| metric | type | labels | meaning |\n|---|---|---|---|\n");
        for (Metric metric : Metric.values()) {
            Set<String> labels = new TreeSet<>(metric.labels());
            text.append("| `")
                    .append(metric.prometheusName())
                    .append("` | ")
                    .append(metric.kind().name().toLowerCase(Locale.ROOT))
                    .append(" | ")
                    .append(labels.isEmpty() ? "" : "`" + String.join("`, `", labels) + "`")
                    .append(" | ")
                    .append(metric.help())
                    .append(" |\n");
        }
        return text.append(END).toString();
    }

    /** Prints the table. */
    public static void main(String[] arguments) {
        System.out.println(ofMetrics());
    }
}
