package io.srpt.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures a running target from outside: what the kernel knows of its process, and what it tells of itself. One thread.
 */
final class TargetProbe implements AutoCloseable {
    private static final String DIRECT = "jvm_buffer_memory_used_bytes{id=\"direct\"}";
    private static final String HEAP = "jvm_memory_used_bytes{area=\"heap\"";

    private final Path proc;
    private final URI metrics;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Double> resident = new ArrayList<>();
    private final List<Double> direct = new ArrayList<>();
    private final List<Double> heap = new ArrayList<>();
    private final List<Double> descriptors = new ArrayList<>();
    private final List<Double> threads = new ArrayList<>();

    TargetProbe(long pid, URI metrics) {
        this.proc = Path.of("/proc", Long.toString(pid));
        this.metrics = metrics;
    }

    /** What the target tells of itself now. */
    Scrape scrape() throws IOException, InterruptedException {
        return Scrape.take(client, metrics);
    }

    /** Adds one sample of everything. */
    void sample() throws IOException, InterruptedException {
        Scrape scrape = scrape();
        direct.add(scrape.sum(DIRECT));
        heap.add(scrape.sum(HEAP));
        resident.add(1024 * status("VmRSS:"));
        threads.add(status("Threads:"));
        try (Stream<Path> open = Files.list(proc.resolve("fd"))) {
            descriptors.add((double) open.count());
        }
    }

    private double status(String key) throws IOException {
        try (Stream<String> lines = Files.lines(proc.resolve("status"))) {
            String line = lines.filter(candidate -> candidate.startsWith(key))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no " + key + " of " + proc));
            return Double.parseDouble(line.replaceAll("\\D", ""));
        }
    }

    /**
     * The movement of everything.
     *
     * @param memory how far memory may move
     * @param count how far descriptors and threads may move
     * @param floor how far the floor of the heap may move
     */
    List<Trend> trends(double memory, double count, double floor) {
        return List.of(
                Trend.ofLevel("resident bytes", resident, memory),
                Trend.ofLevel("direct memory bytes", direct, memory),
                Trend.ofLevel("file descriptors", descriptors, count),
                Trend.ofLevel("threads", threads, count),
                Trend.ofFloor("heap floor bytes", heap, floor));
    }

    int samples() {
        return resident.size();
    }

    @Override
    public void close() {
        client.close();
    }
}
