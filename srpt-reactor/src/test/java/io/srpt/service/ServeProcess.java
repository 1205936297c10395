package io.srpt.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code srpt.jar} run as a user does, with what it writes in files. Ended by {@link #close()} at the latest. */
final class ServeProcess implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final Path out;
    private final Path err;

    private ServeProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Runs {@code srpt} with {@code arguments}; {@code name} names its files in {@code directory}. */
    static ServeProcess srpt(Path directory, String name, List<String> arguments) throws IOException {
        // Under nohup, Maven and what it starts would ignore SIGHUP.
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=HUP",
                System.getProperty("java.home") + "/bin/java",
                "-ea",
                "-jar",
                System.getProperty("srpt.jar", "target/srpt.jar")));
        command.addAll(arguments);
        return start(directory, name, command);
    }

    /** Runs any command. */
    static ServeProcess start(Path directory, String name, List<String> command) throws IOException {
        Path out = directory.resolve(name + ".out");
        Path err = directory.resolve(name + ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return new ServeProcess(builder.start(), out, err);
    }

    /** What it has written to its standard output. */
    String out() throws IOException {
        return Files.readString(out);
    }

    /** What it has written to its standard error stream. */
    String err() throws IOException {
        return Files.readString(err);
    }

    /** Waits until {@code condition} holds; fails when the process ends before. */
    void await(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (!process.isAlive() || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                throw new AssertionError("not " + what + ":\n" + out() + err());
            }
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends another signal. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end and returns its exit code. */
    int exitCode() throws Exception {
        if (!process.waitFor(2 * LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("does not end:\n" + out() + err());
        }
        return process.exitValue();
    }

    /** A port on the loopback interface that nobody listens on. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    /** The body of a GET, or an empty text while nobody answers. */
    static String get(HttpClient client, String uri) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        }
    }

    /** Ends it and what it has started, and waits until none of them writes files any more. */
    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(
                each -> each.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join());
    }
}
