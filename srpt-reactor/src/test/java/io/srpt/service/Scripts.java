package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the checks that are shell scripts: 0 is good, 77 skips the test with what the script says, all else fails it. */
final class Scripts {
    private static final int SKIPPED = 77;

    private Scripts() {}

    /** Runs {@code command}, which may not skip if {@code required}; its output is kept in {@code directory}. */
    static void check(Path directory, boolean required, List<String> command) throws Exception {
        Path output = directory.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
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
        System.out.print(text);
        if (!required) {
            assumeFalse(process.exitValue() == SKIPPED, text);
        }
        assertThat(process.exitValue()).as(text).isZero();
    }
}
