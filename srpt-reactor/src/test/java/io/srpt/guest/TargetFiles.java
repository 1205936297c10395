package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What {@code srpt serve} writes while it runs.
 *
 * @param log both of its streams
 * @param statistics {@code --stats-file}
 */
record TargetFiles(Path log, Path statistics) {
    private static final Duration STATISTICS_LIMIT = Duration.ofSeconds(30);
    /** 128 and SIGTERM: what the JVM exits with after its shutdown hooks. */
    private static final int TERMINATED = 143;

    /** No file of an earlier run. */
    void clear() {
        try {
            Files.createDirectories(log.getParent());
            Files.deleteIfExists(log);
            Files.deleteIfExists(statistics);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines that say where the target is, as far as it has printed them. */
    List<TargetLine> readyLines() {
        return logText()
                .lines()
                .filter(TargetLine::matches)
                .map(TargetLine::parse)
                .toList();
    }

    /** The statistics, written after this call. */
    Report freshStatistics() {
        // A file system's clock is coarse: a file of the same tick may be older than the question.
        FileTime asked = FileTime.from(Instant.now().plusMillis(20));
        if (!Await.until(STATISTICS_LIMIT, () -> modified().compareTo(asked) > 0)) {
            throw new AssertionError("the target writes no statistics:\n" + logText());
        }
        return Report.parse(read(statistics));
    }

    private FileTime modified() {
        try {
            return Files.exists(statistics) ? Files.getLastModifiedTime(statistics) : FileTime.fromMillis(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that it has printed. */
    String logText() {
        return Files.exists(log) ? read(log) : "";
    }

    /** An error unless a target that was told to stop has ended as it should. */
    void assertEndedCleanly(int status) {
        if (status != 0 && status != TERMINATED) {
            throw new AssertionError("the target ended with status " + status + ":\n" + logText());
        }
        if (logText().contains("LEAK: ")) {
            throw new AssertionError("the target leaks buffers:\n" + logText());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
