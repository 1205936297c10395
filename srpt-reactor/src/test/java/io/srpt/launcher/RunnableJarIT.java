package io.srpt.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.Needed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code srpt.jar} as a user does, on this Java and on the older one that may run Maven. */
class RunnableJarIT {
    private static final Path JAVAS = Path.of("/usr/lib/jvm");

    @TempDir
    private Path directory;

    @Test
    void printsItsVersionAndNothingElse() throws Exception {
        Result result = run(System.getProperty("java.home"), "--version");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out().getFirst()).matches("srpt \\d+\\.\\d+\\.\\d+.*");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void reportsAUsageErrorWithoutASubcommand() throws Exception {
        Result result = run(System.getProperty("java.home"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().getFirst()).isEqualTo("Missing subcommand");
    }

    @Test
    void saysInOneLineOnAnOldJavaWhichJavaItNeeds() throws Exception {
        Optional<Path> old = oldJava();
        Needed.isThere(
                old.isPresent(), "no Java older than " + Main.REQUIRED_FEATURE + " runs Maven or is in " + JAVAS);

        Result result = run(old.orElseThrow().toString(), "--version");

        assertThat(result.exitCode()).isEqualTo(Main.EXIT_JAVA_TOO_OLD);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).singleElement().asString().startsWith("srpt needs Java 25 or newer");
    }

    private record Result(int exitCode, List<String> out, List<String> err) {}

    private Result run(String javaHome, String... arguments) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(javaHome + "/bin/java", "-jar", property("srpt.jar"));
        builder.command().addAll(List.of(arguments));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ended in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readAllLines(out), Files.readAllLines(err));
    }

    /** The home of a Java that is too old: Maven's, or one that the distribution has beside it. */
    private static Optional<Path> oldJava() throws IOException {
        List<Path> homes = new ArrayList<>(List.of(Path.of(property("srpt.maven.java.home"))));
        if (Files.isDirectory(JAVAS)) {
            try (DirectoryStream<Path> installed = Files.newDirectoryStream(JAVAS)) {
                installed.forEach(homes::add);
            }
        }
        for (Path home : homes) {
            if (Files.isExecutable(home.resolve("bin/java"))
                    && Files.isReadable(home.resolve("release"))
                    && feature(home) < Main.REQUIRED_FEATURE) {
                return Optional.of(home);
            }
        }
        return Optional.empty();
    }

    /** The feature release that the file {@code release} of a JDK names. */
    private static int feature(Path javaHome) throws IOException {
        String release = Files.readString(javaHome.resolve("release"), StandardCharsets.UTF_8);
        String version = release.lines()
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .findFirst()
                .orElseThrow()
                .replaceAll("[^0-9.]", "");
        return Runtime.Version.parse(version.startsWith("1.") ? version.substring(2) : version)
                .feature();
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
