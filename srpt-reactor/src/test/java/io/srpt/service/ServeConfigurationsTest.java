package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.roce.net.FaultSpec;
import io.srpt.store.StoreSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeConfigurationsTest {
    private static final Path STATE = Path.of("/state");

    @TempDir
    private Path directory;

    @Test
    void letsEverybodyInWhenThereAreOnlyOptions() throws Exception {
        ServeConfiguration configuration = ServeConfigurations.of(options("memory:1MiB"), null, STATE);

        assertThat(configuration.access()).isEqualTo(new AccessPolicy.Any());
        assertThat(configuration.openByDefault()).isTrue();
        assertThat(configuration.listen()).containsExactly(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(configuration.rdmaCmPort()).isEqualTo(5555);
        assertThat(configuration.serviceGuid()).isEqualTo(OptionalLong.empty());
        assertThat(configuration.stateDirectory()).isEqualTo(STATE);
        assertThat(configuration.faults()).isEqualTo(FaultSpec.NONE);
        assertThat(configuration.luns()).containsExactly(memory(0, 1));
    }

    @Test
    void letsNobodyInWhenTheFileHasNoAcls() throws Exception {
        ServeConfiguration configuration = of("lun: memory:1MiB\n");

        assertThat(configuration.access()).isEqualTo(AccessPolicy.Listed.nobody());
        assertThat(configuration.openByDefault()).isFalse();
    }

    @Test
    void letsNobodyInWhenTheAclsAreEmpty() throws Exception {
        assertThat(of("lun: memory:1MiB\nacls:\n").access()).isEqualTo(AccessPolicy.Listed.nobody());
        assertThat(of("lun: memory:1MiB\nacls: []\n").access()).isEqualTo(AccessPolicy.Listed.nobody());
    }

    @Test
    void readsAclsFromTheFile() throws Exception {
        ServeConfiguration any = of("lun: memory:1MiB\nacls: any\n");
        assertThat(any.access()).isEqualTo(new AccessPolicy.Any());
        assertThat(any.openByDefault()).isFalse();
    }

    @Test
    void takesTheSameKeysAsTheOptions() throws Exception {
        ServeConfiguration configuration = of("""
                lun: [memory:1MiB, "file:/srv/disk:2MiB"]
                listen: [192.0.2.1, "fd00::1"]
                rdma-cm-port: 4711
                service-guid: "02005efffe123456"
                state-dir: /var/lib/srpt
                pcap: /tmp/a.pcap
                faults: seed=1,loss=0.5
                stats-file: /run/stats
                mtu: 2048
                acls: any
                """);

        assertThat(configuration.luns())
                .containsExactly(
                        memory(0, 1), LunConfiguration.of(1, new StoreSpec.File(Path.of("/srv/disk"), 2 << 20)));
        assertThat(configuration.listen())
                .containsExactly(InetAddress.ofLiteral("192.0.2.1"), InetAddress.ofLiteral("fd00::1"));
        assertThat(configuration.rdmaCmPort()).isEqualTo(4711);
        assertThat(configuration.serviceGuid()).hasValue(0x0200_5EFF_FE12_3456L);
        assertThat(configuration.stateDirectory()).isEqualTo(Path.of("/var/lib/srpt"));
        assertThat(configuration.pcap()).isEqualTo(Path.of("/tmp/a.pcap"));
        assertThat(configuration.faults().loss()).isEqualTo(0.5);
        assertThat(configuration.statsFile()).isEqualTo(Path.of("/run/stats"));
        assertThat(configuration.mtu()).isEqualTo(2048);
    }

    @Test
    void letsOptionsWinOverTheFile() throws Exception {
        ServeSettings file = read("lun: memory:1MiB\nlisten: 192.0.2.1\nacls: any\n");
        ServeConfiguration configuration = ServeConfigurations.of(options("memory:2MiB"), file, STATE);

        assertThat(configuration.luns()).containsExactly(memory(0, 2));
        assertThat(configuration.listen()).containsExactly(InetAddress.ofLiteral("192.0.2.1"));
    }

    @Test
    void letsTheEnvironmentWinOverTheFileAndOptionsOverBoth() throws Exception {
        ServeSettings environment = ServeSettings.ofEnvironment(Map.of(
                "SRPT_LUN", "memory:4MiB memory:5MiB",
                "SRPT_MTU", "2048",
                "SRPT_ACLS", "any",
                "SRPT_HTTP", "[::1]:0",
                "SRPT_SERVICE_HOST", "10.0.0.1",
                "PATH", "/bin"));
        ServeSettings said =
                new ServeSettings.Options().add(SettingKey.MTU, "1024").build().orElse(environment);
        ServeConfiguration configuration =
                ServeConfigurations.of(said, read("lun: memory:1MiB\nrdma-cm-port: 4711\nmtu: 512\n"), STATE);

        assertThat(configuration.luns()).containsExactly(memory(0, 4), memory(1, 5));
        assertThat(configuration.mtu()).isEqualTo(1024);
        assertThat(configuration.rdmaCmPort()).isEqualTo(4711);
        assertThat(configuration.access()).isEqualTo(new AccessPolicy.Any());
        assertThat(configuration.runtime().http()).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
        assertThat(configuration.runtime().httpRequired()).isTrue();
    }

    @Test
    void namesTheEnvironmentVariableThatIsWrong() {
        ServeSettings environment = ServeSettings.ofEnvironment(Map.of("SRPT_LUN", "memory:1MiB", "SRPT_MTU", "9000"));

        assertThatThrownBy(() -> ServeConfigurations.of(environment, null, STATE))
                .hasMessage("SRPT_MTU: mtu: 9000 is not from 0 to 4096");
    }

    @Test
    void runsByDefaultWithMetricsOnTheLoopbackInterface() throws Exception {
        RuntimeSettings runtime = of("lun: memory:1MiB\n").runtime();

        assertThat(runtime.http()).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9464));
        assertThat(runtime.httpRequired()).isFalse();
        assertThat(runtime.logFormat()).isEqualTo(RuntimeSettings.LogFormat.TEXT);
        assertThat(runtime.pollSpin()).isNull();
        assertThat(runtime.metricsInitiators()).isZero();
        assertThat(of("lun: memory:1MiB\nhttp: none\n").runtime().http()).isNull();
    }

    @Test
    void theReadmesConfigurationIsOne() throws Exception {
        String readme = Files.readString(Path.of("../README.md"));
        int start = readme.indexOf("```yaml\nlisten:") + "```yaml\n".length();
        ServeConfiguration read = of(readme.substring(start, readme.indexOf("```", start)));
        assertThat(read.luns()).extracting(LunConfiguration::lun).containsExactly(0, 5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lisen: 127.0.0.1 | 2:1: unknown key 'lisen'; did you mean 'listen'?",
                "rdma_cm_port: 1 | 2:1: unknown key 'rdma_cm_port'; did you mean 'rdma-cm-port'?",
                "colour: red | 2:1: unknown key 'colour'; known keys are acls, alua, device, drain-timeout, faults, http, http-token, http-token-file, inject,"
                        + " listen, log-format, lun, mad-send, metrics-initiators, mtu, pcap, poll-spin, ports, provider,"
                        + " rdma-cm-port, service-guid, srp, state-dir, stats-file",
                "lun: memory:2MiB | 2:1: lun: the key is there twice",
                "pcap: [a, b] | 2:7: pcap: a single value is wanted",
                "listen: [[a]] | 2:10: listen[0]: a single value is wanted",
                "mtu: 1500 | 2:6: mtu: 1500 is not 256, 512, 1024, 2048 or 4096",
                "rdma-cm-port: 0 | 2:15: rdma-cm-port: 0 is not from 1 to 65535",
                "rdma-cm-port:   many | 2:17: rdma-cm-port: 'many' is no number from 1 to 65535",
                "listen: example.org | 2:9: listen: 'example.org' is no IP address; write such as 192.0.2.1 or fd00::1",
                "listen: 0.0.0.0 | 2:9: listen: 0.0.0.0 names no single interface; give the address that initiators reach",
                "listen: [127.0.0.1, 127.0.0.1] | 2:21: listen[1]: 127.0.0.1 is given twice",
                "acls: somebody | 2:7: acls: 'somebody' is neither 'any' nor an initiator port id of up to 32"
                        + " hexadecimal digits, nor a GUID, nor an address or a network such as 192.0.2.0/24",
                "service-guid: x | 2:15: service-guid: 'x' is no GUID; write 16 hexadecimal digits, not all 0, such as"
                        + " 02005efffe123456",
                "http: 9464 | 2:7: http: '9464' is neither 'none' nor an address and port; write such as 127.0.0.1:9464"
                        + " or [::1]:9464",
                "log-format: xml | 2:13: log-format: 'xml' is neither text nor json",
                "poll-spin: 50 | 2:12: poll-spin: '50' is no time; write such as 50us, 2ms or 3s",
                "drain-timeout: 999s | 2:16: drain-timeout: 999s is more than 600000ms"
            })
    void saysWhereAndWhatIsWrongInTheFile(String line, String message) {
        Path file = directory.resolve("srpt.yaml");

        assertThatThrownBy(() -> of("lun: memory:1MiB\n" + line))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(file + ":" + message);
    }

    @Test
    void saysWhereTheFileIsNoYaml() {
        Path file = directory.resolve("srpt.yaml");

        assertThatThrownBy(() -> of("lun: [\n")).hasMessageStartingWith(file + ":2:1: ");
        assertThatThrownBy(() -> of("- lun\n")).hasMessage(file + ":1:1: the file must consist of lines 'key: value'");
        assertThatThrownBy(() -> new ConfigurationFile(directory.resolve("none")).read())
                .hasMessage("there is no file " + directory.resolve("none"));
    }

    @Test
    void wantsADiskThatItUnderstands() {
        assertThatThrownBy(() -> ServeConfigurations.of(ServeSettings.NOTHING, null, STATE))
                .hasMessageContaining("give at least one --lun");
        assertThatThrownBy(() -> ServeConfigurations.of(options("tape:1"), null, STATE))
                .hasMessageStartingWith("lun: LUN 'tape:1'");
    }

    @Test
    void writesReadyLinesAsLinuxReadsThem() {
        assertThat(new ReadyLine(0x0200_5EFF_FE12_3456L, InetAddress.ofLiteral("192.0.2.1"), 5555))
                .hasToString("id_ext=02005efffe123456,ioc_guid=02005efffe123456,dest=192.0.2.1:5555");
        assertThat(new ReadyLine(1, InetAddress.ofLiteral("fd00::1"), 5555).toString())
                .endsWith("dest=[fd00::1]:5555");
    }

    private static LunConfiguration memory(int lun, int mebibytes) {
        return LunConfiguration.of(lun, new StoreSpec.Memory((long) mebibytes << 20));
    }

    private ServeConfiguration of(String yaml) throws Exception {
        return ServeConfigurations.of(ServeSettings.NOTHING, read(yaml), STATE);
    }

    private ServeSettings read(String yaml) throws IOException, ConfigurationException {
        Path file = Files.writeString(directory.resolve("srpt.yaml"), yaml);
        return new ConfigurationFile(file).read();
    }

    private static ServeSettings options(String... luns) {
        return new ServeSettings.Options().add(SettingKey.LUN, List.of(luns)).build();
    }
}
