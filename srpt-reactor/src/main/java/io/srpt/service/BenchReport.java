package io.srpt.service;

import io.srpt.initiator.LatencyRecorder;
import io.srpt.initiator.SrpBenchResult;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;

/** Collects the latencies of a benchmark and prints it. One thread records; print after it has ended. */
final class BenchReport implements LatencyRecorder {
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double BYTES_PER_MB = 1e6;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
    private static final String[] NAMES = {"p50", "p90", "p99", "p99.9", "max"};

    private final Histogram latencies = new Histogram(HIGHEST_NANOS, DIGITS);
    private final Consumer<String> progress;
    private int channels = 1;
    private double loginsPerSecond;

    /** {@code progress} takes a line at the begin of each phase, on the thread that tells of it. */
    BenchReport(Consumer<String> progress) {
        this.progress = progress;
    }

    /** Before the first command. */
    void onLoggedIn(int count, double perSecond) {
        channels = count;
        loginsPerSecond = perSecond;
        progress.accept(String.format(
                Locale.ROOT, "logged in: %d %s, %.1f a second", count, count == 1 ? "channel" : "channels", perSecond));
    }

    @Override
    public void onMeasuring() {
        progress.accept("measuring");
    }

    @Override
    public void onMeasured() {
        progress.accept("measured");
    }

    @Override
    public void record(long nanos, boolean read) {
        latencies.recordValue(Math.clamp(nanos, 0, HIGHEST_NANOS));
    }

    /** For humans; the first line is {@code NNN IOPS}. */
    String text(SrpBenchResult result) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%d IOPS%n", Math.round(result.iops())));
        text.append(String.format(Locale.ROOT, "%.1f MB/s%n", result.bytesPerSecond() / BYTES_PER_MB));
        text.append("latency in us:");
        for (int index = 0; index < NAMES.length; index++) {
            text.append(String.format(Locale.ROOT, " %s %.1f", NAMES[index], micros(index)));
        }
        text.append(System.lineSeparator());
        text.append(String.format(
                Locale.ROOT,
                "%d reads, %d writes of %d bytes in %.2f s, %d errors%n",
                result.reads(),
                result.writes(),
                result.transferLength(),
                result.elapsedNanos() / 1e9,
                result.errors()));
        return text.toString();
    }

    /** For programs. */
    String json(SrpBenchResult result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("iops", result.iops());
        object.put("bytes_per_second", result.bytesPerSecond());
        object.put("reads", result.reads());
        object.put("writes", result.writes());
        object.put("total_reads", result.totalReads());
        object.put("total_writes", result.totalWrites());
        object.put("block_size", result.transferLength());
        object.put("seconds", result.elapsedNanos() / 1e9);
        object.put("errors", result.errors());
        object.put("channels", channels);
        object.put("logins_per_second", loginsPerSecond);
        Map<String, Double> latency = new LinkedHashMap<>();
        for (int index = 0; index < NAMES.length; index++) {
            latency.put(NAMES[index], micros(index));
        }
        object.put("latency_us", latency);
        return JsonMapper.shared().writeValueAsString(object) + System.lineSeparator();
    }

    private double micros(int index) {
        return latencies.getValueAtPercentile(PERCENTILES[index]) / NANOS_PER_MICRO;
    }
}
