package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.counter.Counter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
        StatsFile stats = StatsFile.start(file, each -> each.accept("target.commands", value.get()));
        assertThat(Files.readString(file)).isEqualTo("target.commands 1\n");
        value.set(2);
        stats.close();

        assertThat(Files.readString(file)).isEqualTo("target.commands 2\n");
    }

    @Test
    void sumsTheValuesOfOneName() {
        Statistics twoPorts = each -> {
            each.accept("a", 1L);
            each.accept("b", 2L);
            each.accept("a", 3L);
        };

        assertThat(twoPorts.text()).isEqualTo("a 4\nb 2\n");
    }

    @Test
    void refusesAFileThatCannotBeWritten() {
        assertThatThrownBy(() -> StatsFile.start(Path.of("/proc/none/stats"), each -> {}))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("/proc/none/stats");
    }

    @Test
    void findsTheCountersOfAClass() {
        Map<String, Long> found = new LinkedHashMap<>();
        ServerStatistics.fields("x.", new Counters(), found::put);

        assertThat(found).containsExactly(Map.entry("x.things", 3L));
    }

    /** As the counter classes of the core. */
    public static final class Counters {
        public final Counter things = new Counter();
        public final String other = "";

        Counters() {
            things.add(3);
        }
    }
}
