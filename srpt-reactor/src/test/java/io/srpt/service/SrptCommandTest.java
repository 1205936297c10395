package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SrptCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> opened = new ArrayList<>();

    @TempDir
    private Path home;

    @Test
    void listsItsCommandsAndItsVersion() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("serve", "discover", "bench", "demo");
        assertThat(run("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("srpt ");
    }

    @Test
    void reportsWrongUsageWithItsExitCode() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(run("serve", "--lunn")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("Unknown option: '--lunn'");
        assertThat(run("bench")).isEqualTo(ExitCode.USAGE);
        assertThat(run("bench", "127.0.0.1", "--random", "--sequential")).isEqualTo(ExitCode.USAGE);
        assertThat(opened).isEmpty();
    }

    @Test
    void reportsAWrongConfigurationInOneLine() {
        assertThat(run("serve")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .isEqualTo("srpt: there is no disk to serve; give at least one --lun, such as --lun memory:64MiB"
                        + System.lineSeparator());
        assertThat(opened).isEmpty();
    }

    @Test
    void checksAConfigurationFile() throws Exception {
        Path good = Files.writeString(home.resolve("good.yaml"), "lun: [memory:1MiB, memory:2MiB]\nacls: any\n");
        Path bad = Files.writeString(home.resolve("bad.yaml"), "lun: memory:1MiB\nlisten:\n  - 192.0.2.1\n  - here\n");

        assertThat(run("check-config", good.toString())).isEqualTo(ExitCode.OK);
        assertThat(out.toString().strip()).isEqualTo(good + ": ok: 2 LUNs on 1 addresses, open to every initiator");
        assertThat(run("check-config", bad.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip())
                .isEqualTo("srpt: " + bad
                        + ":4:5: listen[1]: 'here' is no IP address; write such as 192.0.2.1 or fd00::1");
        assertThat(opened).isEmpty();
    }

    @Test
    void checksTheNumbersOfABenchmarkBeforeItStarts() {
        assertThat(run("bench", "127.0.0.1", "--depth", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(run("bench", "127.0.0.1", "--mix", "120")).isEqualTo(ExitCode.USAGE);
        assertThat(run("bench", "127.0.0.1", "--mix", "some")).isEqualTo(ExitCode.USAGE);
        assertThat(run("discover", "localhost")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .contains("depth: 0 is not from 1 to 1024")
                .contains("mix: 120 is not from 0 to 100")
                .contains("mix: 'some' is neither read nor write nor a percentage of reads")
                .contains("ADDR: 'localhost' is no IP address");
        assertThat(opened).isEmpty();
    }

    @Test
    void reportsAFailureToStartInOneLineAndKeepsTheGuid() throws Exception {
        assertThat(run("serve", "--http", "none", "--lun", "memory:1MiB")).isEqualTo(ExitCode.FAILURE);
        Path file = home.resolve(".local/state/srpt").resolve(ServiceGuidFile.NAME);
        String guid = Files.readString(file);
        assertThat(run("serve", "--http", "none", "--lun", "memory:1MiB")).isEqualTo(ExitCode.FAILURE);

        assertThat(err.toString().lines()).containsExactly("srpt: port in use", "srpt: port in use");
        assertThat(opened).containsExactly("lo [/127.0.0.1]", "lo [/127.0.0.1]");
        assertThat(Files.readString(file)).isEqualTo(guid);
        assertThat(out.toString()).as("no ready line").isEmpty();
    }

    @Test
    void namesTheDiskThatCannotBeOpened() {
        assertThat(run("serve", "--http", "none", "--lun", "memory:1MiB", "--lun", "file:" + home.resolve("none/disk")))
                .isEqualTo(ExitCode.FAILURE);
        assertThat(err.toString()).startsWith("srpt: LUN 1: ");
    }

    @Test
    void refusesAnAddressThatIsNotOurs() {
        assertThat(run("serve", "--http", "none", "--lun", "memory:1MiB", "--listen", "192.0.2.77"))
                .isEqualTo(ExitCode.FAILURE);
        assertThat(err.toString()).contains("no network interface of this machine has the address 192.0.2.77");
    }

    @Test
    void sendsFromTheFirstLoopbackAddressThatCanBeBound() throws Exception {
        InetAddress target = InetAddress.ofLiteral("127.0.0.3");

        assertThat(LocalAddress.towards(target))
                .startsWith(InetAddress.ofLiteral("127.0.0.2"), InetAddress.ofLiteral("127.0.0.4"));
        assertThat(run("discover", "127.0.0.3")).isEqualTo(ExitCode.FAILURE);
        assertThat(opened).startsWith("lo [/127.0.0.2]", "lo [/127.0.0.4]").hasSize(30);
        assertThat(err.toString().lines()).containsExactly("srpt: port in use");
    }

    @Test
    void sendsFromTheAddressThatWasGiven() {
        assertThat(run("discover", "127.0.0.3", "--local", "127.0.0.77")).isEqualTo(ExitCode.FAILURE);
        assertThat(opened).containsExactly("lo [/127.0.0.77]");
    }

    @Test
    void readsTheMixOfABenchmark() throws Exception {
        assertThat(BenchCommand.readPercent("read")).isEqualTo(100);
        assertThat(BenchCommand.readPercent("write")).isZero();
        assertThat(BenchCommand.readPercent("70")).isEqualTo(70);
    }

    private int run(String... args) {
        DeviceFactory nowhere = (loop, addresses, extras) -> {
            opened.add(addresses.name() + " " + addresses.addresses());
            throw new ServiceException("port in use");
        };
        CommandContext context = new CommandContext(nowhere, Map.of(), home, () -> 42, Runnable::run);
        CommandLine line = SrptCommand.commandLine(context);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
