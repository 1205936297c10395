package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code srpt serve} in the network namespace: the packaged jar, as a user runs it. */
final class TargetProcess implements Target {
    private static final Duration READY_LIMIT = Duration.ofSeconds(20);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
    private static final Duration STATISTICS_LIMIT = Duration.ofSeconds(10);
    /** 128 and SIGTERM: what the JVM exits with after its shutdown hooks. */
    private static final int TERMINATED = 143;

    private final Process process;
    private final Path log;
    private final Path statistics;
    private final List<TargetLine> lines;

    private TargetProcess(Process process, Path log, Path statistics) {
        this.process = process;
        this.log = log;
        this.statistics = statistics;
        boolean ready = Await.until(READY_LIMIT, () -> readyLines().size() == 2 || !process.isAlive());
        if (!ready || !process.isAlive()) {
            process.destroyForcibly();
            throw new AssertionError("the target is not ready:\n" + log());
        }
        this.lines = readyLines();
    }

    /**
     * Starts a target on 192.0.2.{@code number} and fd5a:1::{@code number}; number 1, 2 or 3.
     *
     * @param options further options of {@code serve}
     */
    static TargetProcess start(GuestTool tool, int number, String... options) {
        List<String> all = new ArrayList<>(List.of("--lun", "memory:64MiB"));
        all.addAll(List.of(options));
        return startWithDisks(tool, number, all.toArray(String[]::new));
    }

    /** The same without a disk but those of {@code options}. */
    static TargetProcess startWithDisks(GuestTool tool, int number, String... options) {
        String name = "target-" + number;
        Path state = tool.directory().resolve(name + ".state");
        Path log = tool.directory().resolve(name + ".log");
        Path statistics = tool.directory().resolve(name + ".statistics");
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", tool.network()));
        command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-ea"));
        command.add("-Dio.netty.leakDetection.level=paranoid");
        command.addAll(List.of("-jar", System.getProperty("srpt.jar", "target/srpt.jar"), "serve"));
        command.addAll(List.of("--listen", "192.0.2." + number, "--listen", "fd5a:1::" + number));
        command.addAll(List.of("--service-guid", "020000fffe00000" + number));
        command.addAll(List.of("--state-dir", state.toString(), "--stats-file", statistics.toString()));
        command.addAll(List.of(options));
        try {
            Files.createDirectories(state);
            Files.deleteIfExists(statistics);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log.toFile());
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            return new TargetProcess(builder.start(), log, statistics);
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", command), e);
        }
    }

    private List<TargetLine> readyLines() {
        return log().lines().filter(TargetLine::matches).map(TargetLine::parse).toList();
    }

    @Override
    public List<TargetLine> lines() {
        return lines;
    }

    @Override
    public Report statistics() {
        // The file system's clock is coarse: a file of the same tick may be older than the question.
        FileTime asked = FileTime.from(Instant.now().plusMillis(20));
        if (!Await.until(STATISTICS_LIMIT, () -> modified().compareTo(asked) > 0)) {
            throw new AssertionError("the target writes no statistics:\n" + log());
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

    @Override
    public String log() {
        return read(log);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it with SIGTERM; an error unless it ends by itself, cleanly, and with no buffer leaked. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the target does not end at SIGTERM:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0 && process.exitValue() != TERMINATED) {
            throw new AssertionError("the target ended with status " + process.exitValue() + ":\n" + log());
        }
        if (log().contains("LEAK: ")) {
            throw new AssertionError("the target leaks buffers:\n" + log());
        }
    }
}
