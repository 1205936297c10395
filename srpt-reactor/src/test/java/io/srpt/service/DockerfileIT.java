package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds {@code docker/Dockerfile} and runs what comes out; skipped where a tool for that is missing. */
class DockerfileIT {
    private static final int SKIPPED = 77;

    @TempDir
    private Path directory;

    @Test
    void buildsAnImageThatServesIsHealthyAndStops() throws Exception {
        Path script = Path.of("../docker/check-dockerfile.sh").toAbsolutePath();
        Path output = directory.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(script.toString()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JDK25_HOME", System.getProperty("java.home"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ends in time").isTrue();
        } finally {
            // SIGTERM: the script's own end clears what it made
            process.destroy();
        }
        String text = Files.readString(output);
        assumeFalse(process.exitValue() == SKIPPED, text);
        assertThat(process.exitValue()).as(text).isZero();
        System.out.print(text);
    }
}
