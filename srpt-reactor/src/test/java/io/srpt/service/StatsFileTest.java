package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsFileTest {
    @TempDir
    private Path directory;

    @Test
    void writesAtOnceAndAtTheEnd() throws Exception {
        Path file = directory.resolve("stats");
        AtomicLong value = new AtomicLong(1);
        StatsFile stats = StatsFile.start(file, () -> "srpt_logins " + value + "\n");
        assertThat(Files.readString(file)).isEqualTo("srpt_logins 1\n");
        value.set(2);
        stats.close();

        assertThat(Files.readString(file)).isEqualTo("srpt_logins 2\n");
    }

    @Test
    void refusesAFileThatCannotBeWritten() {
        assertThatThrownBy(() -> StatsFile.start(Path.of("/proc/none/stats"), () -> ""))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("/proc/none/stats");
    }
}
