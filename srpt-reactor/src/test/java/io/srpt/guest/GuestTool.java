package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code src/test/guest/guest}, with one network namespace that belongs to this process. */
final class GuestTool {
    private static final Path BASE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path SCRIPTS = BASE.resolve("src/test/guest");

    private final String network = "srpt-" + ProcessHandle.current().pid();
    private final Path directory = BASE.resolve("target/guest");

    GuestTool() {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Exit status and everything printed. */
    record Result(int status, String output) {
        Result orFail(String what) {
            if (status != 0) {
                throw new AssertionError(what + ": exit status " + status + "\n" + output);
            }
            return this;
        }
    }

    /** The network namespace. */
    String network() {
        return network;
    }

    /** Where logs and captures of this run go; it stays after the run. */
    Path directory() {
        return directory;
    }

    /** A program beside the tool. */
    Path script(String name) {
        return SCRIPTS.resolve(name);
    }

    Result run(Duration limit, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script("guest").toString()));
        command.addAll(List.of(arguments));
        return execute(limit, command);
    }

    /** Runs a program on the host; the process is killed at the limit. */
    Result execute(Duration limit, List<String> command) {
        try {
            Path output = Files.createTempFile(directory, "command", ".out");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(output.toFile());
                builder.environment().put("SRPT_GUEST_NET", network);
                builder.environment()
                        .put(
                                "SRPT_GUEST_OWNER",
                                Long.toString(ProcessHandle.current().pid()));
                String cache = System.getProperty("srpt.guest.cache", "");
                if (!cache.isEmpty()) {
                    builder.environment().put("SRPT_GUEST_CACHE", cache);
                }
                int status = status(builder.start(), limit);
                return new Result(status, Files.readString(output));
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", command), e);
        }
    }

    private static int status(Process process, Duration limit) {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new AssertionError("no end after " + limit.toSeconds() + " s: " + process.info());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
