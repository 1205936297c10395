package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code srpt serve} in the network namespace: the packaged jar, as a user runs it. */
final class TargetProcess implements Target {
    private static final Duration READY_LIMIT = Duration.ofSeconds(20);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    private final Process process;
    private final TargetFiles files;
    private final List<TargetLine> lines;

    private TargetProcess(Process process, TargetFiles files, int addresses) {
        this.process = process;
        this.files = files;
        boolean ready = Await.until(READY_LIMIT, () -> files.readyLines().size() == addresses || !process.isAlive());
        if (!ready || !process.isAlive()) {
            process.destroyForcibly();
            throw new AssertionError("the target is not ready:\n" + log());
        }
        this.lines = files.readyLines();
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
        TargetFiles files = new TargetFiles(
                tool.directory().resolve(name + ".log"), tool.directory().resolve(name + ".statistics"));
        files.clear();
        // Under nohup, Maven and what it starts would ignore SIGHUP.
        List<String> command =
                new ArrayList<>(List.of("env", "--default-signal=HUP", "ip", "netns", "exec", tool.network()));
        command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-ea"));
        command.add("-Dio.netty.leakDetection.level=paranoid");
        command.addAll(List.of("-jar", System.getProperty("srpt.jar", "target/srpt.jar"), "serve"));
        command.addAll(List.of("--listen", "192.0.2." + number, "--listen", "fd5a:1::" + number));
        command.addAll(List.of("--service-guid", "020000fffe00000" + number));
        command.addAll(List.of(
                "--state-dir",
                state.toString(),
                "--stats-file",
                files.statistics().toString()));
        command.addAll(List.of(options));
        try {
            Files.createDirectories(state);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(files.log().toFile());
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            int addresses = Collections.frequency(command, "--listen");
            return new TargetProcess(builder.start(), files, addresses);
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", command), e);
        }
    }

    /** Tells it that its configuration file has changed. */
    void reload() {
        try {
            new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<TargetLine> lines() {
        return lines;
    }

    @Override
    public Report statistics() {
        return files.freshStatistics();
    }

    @Override
    public String log() {
        return files.logText();
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
        files.assertEndedCleanly(process.exitValue());
    }
}
