package io.srpt.service;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The benchmarks of the README still run from end to end; what they measure in a second means nothing. Skipped without Python, a C
 * compiler or curl, and the one with guests where these cannot run, unless system property {@code srpt.bench} is {@code required}.
 */
class BenchScriptsIT {
    private static final boolean REQUIRED = "required".equals(System.getProperty("srpt.bench"));
    private static final String CHECKED_RUN = """
            for tool in python3 gcc curl taskset; do
                command -v $tool > /dev/null || { echo "there is no $tool"; exit 77; }
            done
            if [ "$(basename "$1")" = kernel.py ]; then src/test/guest/guest check || exit 77; fi
            "$@" > "$OUT" && cat "$OUT" && grep -q '^| ' "$OUT"
            """;

    @TempDir
    private Path directory;

    static Stream<Arguments> scripts() {
        return Stream.of(
                arguments("growth.py", List.of("--channels", "3")),
                arguments("mad.py", List.of()),
                arguments("observers.py", List.of()),
                arguments(
                        "peers.py",
                        List.of("--volume", "64", "--targets", "srpt memory", "--tests", "128k sequential read")));
    }

    /** Half a minute: two guests boot, and fio runs on what each of the targets serves. */
    @Test
    void theKernelsInitiatorMeasuresOursAndItsOwnTarget() throws Exception {
        assumeFalse("off".equals(System.getProperty("srpt.guest")), "guests are switched off (srpt.guest=off)");
        runsToItsTable("kernel.py", List.of("--jobs", "read-32"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scripts")
    void runsToItsTable(String script, List<String> options) throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "JAVA_HOME=" + System.getProperty("java.home")));
        command.add("SRPT_BENCH_ADDRESS=" + TestAddresses.ofThisProcess(21));
        command.add("SRPT_BENCH_LOAD_ADDRESS=" + TestAddresses.ofThisProcess(22));
        command.add("OUT=" + directory.resolve("table"));
        command.addAll(List.of("sh", "-c", CHECKED_RUN, "sh", "src/test/bench/" + script));
        command.addAll(List.of("--rounds", "1", "--seconds", "1", "--warmup", "0"));
        command.addAll(List.of("--jar", System.getProperty("srpt.jar", "")));
        command.addAll(options);
        Scripts.check(directory, REQUIRED, command);
    }
}
