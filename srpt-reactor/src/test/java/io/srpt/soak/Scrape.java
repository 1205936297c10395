package io.srpt.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code /metrics} said once.
 *
 * @param values the value of each series, by its name with the labels
 */
record Scrape(Map<String, Double> values) {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Asks once. */
    static Scrape take(HttpClient client, URI metrics) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(metrics).timeout(LIMIT).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(metrics + ": status " + response.statusCode());
        }
        Map<String, Double> values = new LinkedHashMap<>();
        response.body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return new Scrape(values);
    }

    /** The sum of all series whose name with labels starts so. */
    double sum(String prefix) {
        return values.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** The sums of several prefixes. */
    Map<String, Double> sums(List<String> prefixes) {
        Map<String, Double> sums = new TreeMap<>();
        prefixes.forEach(prefix -> sums.put(prefix, sum(prefix)));
        return sums;
    }
}
