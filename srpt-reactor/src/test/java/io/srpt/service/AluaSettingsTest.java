package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.scsi.AccessState;
import io.srpt.scsi.AluaGroup;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AluaSettingsTest {
    private static final String FILE = """
            listen: [192.0.2.1, 192.0.2.2]
            lun: [memory:1MiB, memory:1MiB]
            """;

    @TempDir
    private Path directory;

    private AluaSettings of(String alua) throws Exception {
        Path file = Files.writeString(directory.resolve("srpt.yaml"), FILE + "alua: " + alua + "\n");
        ServeSettings settings = new ConfigurationFile(file).read();
        return ServeConfigurations.of(ServeSettings.NOTHING, settings, directory)
                .target()
                .alua();
    }

    @Test
    void readsGroups() throws Exception {
        AluaSettings alua = of("{explicit: false, transition-time: 200ms, groups: ["
                + "{id: 7, name: near, preferred: true, ports: [192.0.2.1], luns: [1]}, "
                + "{ports: [192.0.2.2], state: active-non-optimized}]}");

        assertThat(alua.implicit()).isTrue();
        assertThat(alua.explicit()).isFalse();
        assertThat(alua.transitionTime()).isEqualTo(Duration.ofMillis(200));
        assertThat(alua.groups())
                .containsExactly(
                        new AluaSettings.Group(
                                7,
                                "near",
                                AccessState.ACTIVE_OPTIMIZED,
                                true,
                                List.of(InetAddress.ofLiteral("192.0.2.1")),
                                Set.of(1)),
                        new AluaSettings.Group(
                                2,
                                "group-2",
                                AccessState.ACTIVE_NON_OPTIMIZED,
                                false,
                                List.of(InetAddress.ofLiteral("192.0.2.2")),
                                Set.of(0, 1)));
    }

    @Test
    void differentDisksMayHaveTheSameNumbersAndAddresses() throws Exception {
        assertThat(of("{groups: [{id: 1, ports: [192.0.2.1], luns: [0]}, {id: 1, ports: [192.0.2.1], luns: [1]}]}")
                        .groups())
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yes | fields are wanted",
                "{groups: [{id: 1}]} | the ports are missing",
                "{groups: [{id: 0, ports: [192.0.2.1]}]} | 0 is not from 1 to 65535",
                "{groups: [{ports: [192.0.2.3]}]} | not among the addresses",
                "{groups: [{ports: [192.0.2.1], luns: [2]}]} | there is no LUN 2",
                "{groups: [{ports: [192.0.2.1], state: transitioning}]} | is none of active-optimized",
                "{groups: [{id: 1, ports: [192.0.2.1]}, {id: 1, ports: [192.0.2.2]}]} | has a group 1 already",
                "{groups: [{ports: [192.0.2.1]}, {ports: [192.0.2.1], luns: [1]}]} | 192.0.2.1 is in group 1 of LUN 1",
                "{implicit: false, explicit: false} | of no use",
                "{group: []} | did you mean 'groups'",
            })
    void saysWhatIsWrong(String alua, String message) {
        assertThatThrownBy(() -> of(alua))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aReloadChangesStatesAndSaysThatTheRestNeedsARestart() throws Exception {
        String text = LiveService.withToken() + "acls: any\nlun: memory:1MiB\nalua: {groups: [{name: one, ports: ["
                + LiveService.ADDRESS + "], state: STATE}]}\n";
        try (LiveService live = LiveService.start(directory, text.replace("STATE", "active-optimized"));
                InitiatorHost host = LiveService.initiator(LiveService.INITIATOR);
                BlockingSrpClient client = LiveService.login(host, LiveService.ADDRESS)) {
            assertThat(live.says(text.replace("STATE", "standby")).reload().body())
                    .contains("alua: group one becomes standby");
            assertThat(live.server().accessGroups())
                    .extracting(AluaGroup::state)
                    .containsExactly(AccessState.STANDBY);
            assertThatThrownBy(() -> client.read(0, 0, 1, 512)).hasMessageContaining("2/04/0B");

            assertThat(live.says(text.replace("STATE", "offline").replace("name", "preferred: true, name"))
                            .reload()
                            .body())
                    .contains("alua, but for states");
            assertThat(live.server().accessGroups())
                    .extracting(AluaGroup::state)
                    .containsExactly(AccessState.STANDBY);

            live.server().accessState("one", AccessState.ACTIVE_OPTIMIZED).get(10, TimeUnit.SECONDS);
            assertThatThrownBy(() -> live.server().accessState("two", AccessState.OFFLINE))
                    .isInstanceOf(ServiceException.class);
            client.testUnitReady(0);
            client.read(0, 0, 1, 512);
        }
    }
}
