package io.srpt.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code srpt.jar} as a user does, on this Java and on the older one that may run Maven. */
class RunnableJarIT {
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
        String oldHome = property("srpt.maven.java.home");
        assumeTrue(feature(oldHome) < Main.REQUIRED_FEATURE, "Maven runs on a Java that is new enough");

        Result result = run(oldHome, "--version");

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

    /** The feature release that the file {@code release} of a JDK names. */
    private static int feature(String javaHome) throws IOException {
        String release = Files.readString(Path.of(javaHome, "release"), StandardCharsets.UTF_8);
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
