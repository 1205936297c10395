package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.RdmaDevice;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** All addresses of a network interface are in one target port group of a disk, or in none. */
class AluaInterfacesTest {
    private static final String FILE = """
            listen: [192.0.2.1, 192.0.2.2, 192.0.2.9]
            lun: [memory:1MiB, memory:1MiB]
            acls: any
            """;

    /** A machine whose interface eth0 has 192.0.2.1 and 192.0.2.9, and eth1 192.0.2.2. */
    private static final DeviceFactory MACHINE = new DeviceFactory() {
        private static final Map<String, String> INTERFACES =
                Map.of("192.0.2.1", "eth0", "192.0.2.9", "eth0", "192.0.2.2", "eth1");

        @Override
        public @Nullable InterfaceAddresses interfaceOf(InetAddress address) {
            String name = INTERFACES.get(address.getHostAddress());
            return name == null ? null : new InterfaceAddresses(name, 1500, List.of(address));
        }

        @Override
        public RdmaDevice open(RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras)
                throws ServiceException {
            throw new ServiceException("nothing is opened here");
        }
    };

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("srpt.yaml"), text);
    }

    private ServeConfiguration read(String alua) throws Exception {
        return new ConfigurationSource(ServeSettings.NOTHING, file(FILE + alua), directory, MACHINE)
                .read()
                .configuration();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alua: {groups: [{ports: [192.0.2.1, 192.0.2.9]}, {ports: [192.0.2.2]}]}",
                "alua: {groups: [{ports: [192.0.2.2]}]}",
                "alua: {groups: [{ports: [192.0.2.9, 192.0.2.1], luns: [0]}, {ports: [192.0.2.1, 192.0.2.9], luns: [1]}]}",
                "alua: {groups: []}",
            })
    void interfacesThatAreWhollyInAGroupOrInNoneAreTaken(String alua) {
        assertThatCode(() -> read(alua)).doesNotThrowAnyException();
    }

    @Test
    void aGroupWithAPartOfAnInterfaceIsRefusedWhereItIsWritten() {
        assertThatThrownBy(() -> read("""
                        alua:
                          groups:
                          - {id: 7, name: near, ports: [192.0.2.2, 192.0.2.1], luns: [1]}
                        """))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        directory.resolve("srpt.yaml") + ":6:44: alua.groups[0].ports[1]: 192.0.2.1 and 192.0.2.9 are"
                                + " addresses of eth0 and so of one port, but of LUN 1 the first is in group 7 (near), the other"
                                + " in none; name both in the same group, or neither in any");
    }

    @Test
    void anInterfaceInTwoGroupsIsRefusedWhereItIsWritten() {
        assertThatThrownBy(() -> read("""
                        alua:
                          groups:
                          - {id: 1, ports: [192.0.2.1]}
                          - {id: 2, ports: [192.0.2.9]}
                        """))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(":7:21: alua.groups[1].ports[0]: 192.0.2.1 and 192.0.2.9 are addresses of eth0")
                .hasMessageContaining("of LUN 0 the first is in group 1 (group-1), the other in group 2 (group-2)");
    }

    @Test
    void aTargetOfAProgramDoesNotStartWithSuchGroups() throws Exception {
        ServeSettings settings = new ConfigurationFile(file(FILE + "alua: {groups: [{ports: [192.0.2.9]}]}\n")).read();
        ServeConfiguration wrong = ServeConfigurations.of(ServeSettings.NOTHING, settings, directory);
        assertThatThrownBy(() -> SrptServer.start(wrong, 1, MACHINE))
                .isInstanceOf(ServiceException.class)
                .hasMessage("alua: 192.0.2.1 and 192.0.2.9 are addresses of eth0 and so of one port, but of LUN 0 the"
                        + " first is in none, the other in group 1 (group-1); name both in the same group, or neither in"
                        + " any");
    }

    @Test
    void theFileIsCheckedAsFarAsTheMachineHasItsAddresses() throws Exception {
        String elsewhere = FILE.replace("192.0.2.9", "198.51.100.9");
        Path file = file(elsewhere + "alua: {groups: [{ports: [192.0.2.1]}]}\n");

        assertThat(checkConfig(file)).as(err.toString()).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .contains(file + ": ok: 2 LUNs on 3 addresses")
                .contains(
                        file + ": alua: no network interface of this machine has 198.51.100.9; whether all addresses of"
                                + " an interface are in the same group is seen where they are served");

        assertThat(checkConfig(file(FILE + "alua: {groups: [{ports: [192.0.2.1]}]}\n")))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("are addresses of eth0");
    }

    private int checkConfig(Path file) {
        CommandLine line =
                SrptCommand.commandLine(new CommandContext(MACHINE, Map.of(), directory, () -> 42, Runnable::run));
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute("check-config", file.toString());
    }
}
