package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code srpt import-lio} on files that LIO's tools wrote. */
class ImportLioCommandTest {
    private static final Path SAMPLES = Path.of("src/test/resources/lio");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"srpt-roce", "srpt-ib", "container", "fc-alua", "iscsi-many"})
    void saysWhatLioSaidAndWhatItLeftOut(String name) throws Exception {
        assertThat(run("import-lio", SAMPLES.resolve("saveconfig-" + name + ".json")))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString()).isEqualTo(Files.readString(SAMPLES.resolve(name + ".yaml")));
        assertThat(err.toString().lines().map(line -> "#   " + line.substring("left out: ".length())))
                .containsExactlyElementsOf(out.toString()
                        .lines()
                        .filter(line -> line.startsWith("#   "))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"srpt-roce", "srpt-ib", "container", "fc-alua", "iscsi-many"})
    void whatItWritesIsAConfiguration(String name) {
        assertThat(run("check-config", SAMPLES.resolve(name + ".yaml")))
                .as(err.toString())
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void refusesAnotherFile() throws Exception {
        Path file = Files.writeString(directory.resolve("other.json"), "{\"hosts\": []}");
        assertThat(run("import-lio", file)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no saveconfig.json");
    }

    private int run(String command, Path file) {
        CommandLine line = SrptCommand.commandLine(CommandContext.ofProcess());
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(command, file.toString());
    }
}
