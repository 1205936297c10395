package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What documents and files for deployment tell people to type is what the command line takes. */
class ShownCommandsTest {
    private static final Map<String, String> NO_ENVIRONMENT = Map.of();

    @Test
    void theReadmesExamplesAreTaken() throws Exception {
        List<List<String>> shown = ShownCommands.inFences(Path.of("../README.md"));
        assertThat(shown).hasSizeGreaterThan(2);
        for (List<String> command : shown) {
            ShownCommands.assertTaken(command, NO_ENVIRONMENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "../docker/Dockerfile, 1",
        "../docker/srpt.service, 2",
        "src/dist/deb/srpt.yaml, 1",
        "src/test/guest/README.md, 2"
    })
    void thoseOfOtherFilesAreTaken(Path file, int atLeast) throws Exception {
        List<List<String>> shown = ShownCommands.in(Files.readString(file).replace("ADDR", "192.0.2.1"));
        assertThat(shown).hasSizeGreaterThanOrEqualTo(atLeast);
        for (List<String> command : shown) {
            ShownCommands.assertTaken(command, NO_ENVIRONMENT);
        }
    }

    @ParameterizedTest
    @CsvSource({"../README.md, 25", "../CHANGELOG.md, 3", "../.github/SECURITY.md, 3"})
    void commandsAndOptionsThatTheProseNamesExist(Path file, int atLeast) throws Exception {
        assertThat(ShownCommands.assertNamesExist(file)).isGreaterThanOrEqualTo(atLeast);
    }

    @Test
    void aWrongExampleIsFound() {
        List<String> unknown = ShownCommands.in("java -jar a/srpt.jar serve --lum 'memory:1MiB' # a disk")
                .getFirst();
        assertThat(unknown).containsExactly("serve", "--lum", "memory:1MiB");
        assertThatThrownBy(() -> ShownCommands.assertTaken(unknown, NO_ENVIRONMENT))
                .hasMessageContaining("--lum");
        List<String> value =
                ShownCommands.in("srpt serve --lun memory:1MiB --faults lost=1").getFirst();
        assertThatThrownBy(() -> ShownCommands.assertTaken(value, NO_ENVIRONMENT))
                .isInstanceOf(ConfigurationException.class);
        List<String> half = ShownCommands.in("$ srpt lun").getFirst();
        assertThatThrownBy(() -> ShownCommands.assertTaken(half, NO_ENVIRONMENT))
                .hasMessageContaining("all of it");
    }
}
