package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.reactor.fault.FaultRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InjectOptionTest {
    private static final String DELAY = "command=READ_10,every=200,delay=3s";
    private static final String DROP = "mad,nth=1,drop";

    @TempDir
    private Path directory;

    private static ServeConfiguration of(ServeSettings settings) throws ConfigurationException {
        return ServeConfigurations.of(settings, null, Path.of("/state"));
    }

    private static ServeSettings options(String... rules) {
        return new ServeSettings.Options()
                .add(SettingKey.LUN, "memory:1MiB")
                .add(SettingKey.INJECT, List.of(rules))
                .build();
    }

    @Test
    void takesRulesInTheirOrder() throws ConfigurationException {
        assertThat(of(options(DELAY, DROP)).inject()).containsExactly(FaultRule.parse(DELAY), FaultRule.parse(DROP));
        assertThat(of(options()).inject()).isEmpty();
    }

    @Test
    void takesThemFromTheEnvironmentAndFromTheFile() throws ConfigurationException, IOException {
        ServeSettings environment =
                ServeSettings.ofEnvironment(Map.of("SRPT_LUN", "memory:1MiB", "SRPT_INJECT", DELAY + " " + DROP));
        assertThat(of(environment).inject()).hasSize(2);

        Path file = Files.writeString(
                directory.resolve("srpt.yaml"), "lun: memory:1MiB\ninject: ['" + DELAY + "', '" + DROP + "']\n");
        assertThat(of(new ConfigurationFile(file).read()).inject()).hasSize(2);
    }

    @Test
    void saysWhatIsWrongWithARuleAndWhere() throws IOException {
        assertThatThrownBy(() -> of(options("nth=1,delay=3")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "inject: 'nth=1,delay=3': '3' is no time; write such as delay=500us, delay=20ms, delay=3s or"
                                + " delay=2m");

        Path file = Files.writeString(
                directory.resolve("srpt.yaml"), "lun: memory:1MiB\ninject:\n  - '" + DROP + "'\n  - drop,kill\n");
        assertThatThrownBy(() -> of(new ConfigurationFile(file).read()))
                .hasMessage(file + ":4:5: inject[1]: 'drop,kill': drop and kill exclude each other");
    }
}
