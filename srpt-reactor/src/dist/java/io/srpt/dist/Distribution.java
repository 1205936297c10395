package io.srpt.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the tree of files that packages and images install. Maven runs it as a source file, on the JDK that builds.
 *
 * <pre>
 *   lib/srpt/bin/srpt                starts it, see src/dist/bin
 *   lib/srpt/runtime                 the Java that runs it, by jlink
 *   lib/srpt/srpt.jar, srpt.aot      the program; its classes as the JVM wants them, from a training run
 *   share/man, bash-completion, doc
 * </pre>
 *
 * <p>The JVM takes the cache only with the runtime and the jar that it was made with; it compares the jar's time, so all
 * files get the time that the build gives to the entries of its archives.
 */
final class Distribution {
    /** What the program needs, and jcmd for those who look at it. Jackson's wish for java.desktop and java.sql is no need. */
    private static final String MODULES = "java.base,java.logging,java.management,java.naming,java.net.http,java.xml,"
            + "jdk.jcmd,jdk.jfr,jdk.management,jdk.unsupported";

    private static final long LIMIT_SECONDS = 120;
    private static final Path JDK = Path.of(System.getProperty("java.home"));

    private final Path root;
    private final Path home;
    private final Path java;

    private Distribution(Path root) {
        this.root = root;
        home = root.resolve("lib/srpt");
        java = home.resolve("runtime/bin/java");
    }

    /** Arguments: the jar; the folder with the start script; the licence; the time of all files; the folder to make. */
    public static void main(String[] arguments) throws Exception {
        Path jar = Path.of(arguments[0]);
        FileTime time = FileTime.from(Instant.parse(arguments[3]));
        Distribution made = new Distribution(Path.of(arguments[4]));
        made.clear();
        made.link();
        made.copy(jar, Path.of(arguments[1]), Path.of(arguments[2]));
        made.document();
        made.setTimes(time);
        made.train();
        made.setTimes(time);
    }

    private void clear() throws IOException {
        if (Files.exists(root)) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(home.resolve("bin"));
    }

    private void link() throws Exception {
        run(List.of(
                JDK.resolve("bin/jlink").toString(),
                "--add-modules",
                MODULES,
                "--no-header-files",
                "--no-man-pages",
                "--compress=zip-6",
                "--output",
                home.resolve("runtime").toString()));
    }

    private void copy(Path jar, Path script, Path licence) throws IOException {
        Files.copy(jar, home.resolve("srpt.jar"));
        Path start = Files.copy(script, home.resolve("bin/srpt"));
        Files.setPosixFilePermissions(start, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(
                licence, Files.createDirectories(root.resolve("share/doc/srpt")).resolve("copyright"));
    }

    private void document() throws Exception {
        run(srpt("manual", root.resolve("share").toString()));
        try (Stream<Path> pages = Files.walk(root.resolve("share/man"))) {
            for (Path page : pages.filter(Files::isRegularFile).toList()) {
                Path packed = page.resolveSibling(page.getFileName() + ".gz");
                try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
                    Files.copy(page, out);
                }
                Files.delete(page);
            }
        }
    }

    private void setTimes(FileTime time) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> !Files.isSymbolicLink(file)).forEach(file -> {
                try {
                    Files.setLastModifiedTime(file, time);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** A target starts, serves an initiator and a reader of its status, and ends; the JVM writes what it has learned. */
    private void train() throws Exception {
        String address = "127.%d.%d.%d".formatted(random(100, 200), random(1, 250), random(1, 250));
        String http = "127.0.0.1:" + random(20000, 32000);
        Path state = Files.createTempDirectory("srpt-training");
        Path log = state.resolve("log");
        List<String> serve = java("-XX:AOTCacheOutput=" + home.resolve("srpt.aot"));
        serve.addAll(List.of("serve", "--lun", "memory:64MiB", "--listen", address, "--http", http));
        serve.addAll(List.of("--state-dir", state.toString()));
        Process target = start(serve, log);
        try {
            await(target, log);
            run(srpt("bench", address, "--mix", "70", "--warmup", "0", "--seconds", "2"));
            try (HttpClient client = HttpClient.newHttpClient()) {
                for (String path : List.of("/readyz", "/metrics", "/", "/api/v1/sessions")) {
                    client.send(
                            HttpRequest.newBuilder(URI.create("http://" + http + path))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
                }
            }
            target.destroy();
            end(target, log, serve);
        } finally {
            target.destroyForcibly();
        }
        if (!Files.exists(home.resolve("srpt.aot"))) {
            throw new IOException("no AOT cache was made:\n" + Files.readString(log));
        }
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void await(Process target, Path log) throws Exception {
        Instant limit = Instant.now().plus(Duration.ofSeconds(LIMIT_SECONDS));
        while (!Files.readString(log).contains("id_ext=")) {
            if (Instant.now().isAfter(limit) || target.waitFor(50, TimeUnit.MILLISECONDS)) {
                throw new IOException("the target does not start:\n" + Files.readString(log));
            }
        }
    }

    private List<String> srpt(String... arguments) {
        List<String> command = java();
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> java(String... options) {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(List.of(options));
        command.addAll(
                List.of("-XX:-UsePerfData", "-jar", home.resolve("srpt.jar").toString()));
        return command;
    }

    private static void run(List<String> command) throws Exception {
        Path log = Files.createTempFile("srpt-dist", ".log");
        Process process = start(command, log);
        end(process, log, command);
        Files.delete(log);
    }

    private static Process start(List<String> command, Path log) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.equals("JAVA_TOOL_OPTIONS") || name.startsWith("SRPT_"));
        return builder.start();
    }

    private static void end(Process process, Path log, List<String> command) throws Exception {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed:\n" + Files.readString(log));
        }
    }

    private static int random(int from, int to) {
        return ThreadLocalRandom.current().nextInt(from, to);
    }
}
