package io.srpt.service;

import io.srpt.durable.DurableFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes counters to a file every second and when it is closed. A reader always sees a whole file. Failures to write are
 * logged once until a write succeeds again.
 */
final class StatsFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatsFile.class);
    private static final long PERIOD_MILLIS = 1000;

    private final Path file;
    private final Supplier<String> statistics;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("srpt-stats").factory());
    private boolean failing;

    private StatsFile(Path file, Supplier<String> statistics) {
        this.file = file;
        this.statistics = statistics;
    }

    /** Starts to write {@code statistics} to {@code file}; the first time now. */
    static StatsFile start(Path file, Supplier<String> statistics) throws ServiceException {
        StatsFile stats = new StatsFile(file, statistics);
        try {
            DurableFile.at(file).replace(statistics.get());
        } catch (IOException e) {
            stats.writer.shutdown();
            throw new ServiceException("cannot write the statistics file " + file + ": " + e, e);
        }
        stats.writer.scheduleWithFixedDelay(stats::write, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return stats;
    }

    /** Writes a last time. */
    @Override
    public void close() {
        writer.shutdown();
        write();
    }

    private synchronized void write() {
        try {
            DurableFile.at(file).replace(statistics.get());
            failing = false;
        } catch (IOException | RuntimeException e) {
            if (!failing) {
                LOG.warn("Cannot write the statistics file {}: {}", file, e.toString());
            }
            failing = true;
        }
    }
}
