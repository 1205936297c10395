package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceGuidFileTest {
    @TempDir
    private Path directory;

    @Test
    @Tag("pitfall-19")
    void makesOneGuidAndKeepsIt() throws Exception {
        Path state = directory.resolve("deep").resolve("srpt");
        long first = new ServiceGuidFile(state, () -> 0x0123_4567_89AB_CDEFL).readOrCreate();
        long second = new ServiceGuidFile(state, () -> 42).readOrCreate();

        assertThat(first).as("locally administered, of one node").isEqualTo(0x0223_4567_89AB_CDEFL);
        assertThat(second).isEqualTo(first);
        assertThat(Files.readString(state.resolve(ServiceGuidFile.NAME))).isEqualTo("0223456789abcdef\n");
        try (Stream<Path> files = Files.list(state)) {
            assertThat(files).as("no temporary file is left").hasSize(1);
        }
    }

    @Test
    void refusesAFileThatHoldsNoGuid() throws IOException {
        Files.writeString(directory.resolve(ServiceGuidFile.NAME), "hello");

        assertThatThrownBy(() -> new ServiceGuidFile(directory, () -> 1).readOrCreate())
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("'hello' is no GUID")
                .hasMessageContaining("remove the file");
    }

    @Test
    void saysWhatToDoWhenTheDirectoryCannotBeMade() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> new ServiceGuidFile(file.resolve("below"), () -> 1).readOrCreate())
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("service-guid");
    }

    @Test
    void readsGuidsInTheUsualNotations() throws ConfigurationException {
        assertThat(Guid.parse("02005EFFFE123456")).isEqualTo(0x0200_5EFF_FE12_3456L);
        assertThat(Guid.parse("0x02005efffe123456")).isEqualTo(0x0200_5EFF_FE12_3456L);
        assertThat(Guid.parse("0200:5eff:fe12:3456")).isEqualTo(0x0200_5EFF_FE12_3456L);
        assertThatThrownBy(() -> Guid.parse("0000000000000000")).hasMessageContaining("not all 0");
        assertThatThrownBy(() -> Guid.parse("2005efffe123456")).hasMessageContaining("16 hexadecimal digits");
    }

    @Test
    void looksForTheStateDirectoryWhereSystemdAndXdgSay() {
        Path home = Path.of("/home/me");

        assertThat(StateDirectory.of(Map.of("STATE_DIRECTORY", "/var/lib/srpt:/var/lib/other"), home))
                .isEqualTo(Path.of("/var/lib/srpt"));
        assertThat(StateDirectory.of(Map.of("XDG_STATE_HOME", "/x"), home)).isEqualTo(Path.of("/x/srpt"));
        assertThat(StateDirectory.of(Map.of("STATE_DIRECTORY", ""), home))
                .isEqualTo(Path.of("/home/me/.local/state/srpt"));
    }
}
