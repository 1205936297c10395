package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole of it in one process, over real sockets: target, discovery, login, data, logout. */
class DemoTest {
    @TempDir
    private Path home;

    @Test
    void writesReadsBackAndLogsOut() {
        assertThat(run("demo", "--once", "--listen", TestAddresses.ofThisProcess(1)))
                .as("%s%n%s", out, err)
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString().lines())
                .anyMatch(line -> line.endsWith("discovered SRP.T10:020000000000002a"))
                .anyMatch(line -> line.startsWith("LUN 0: SRPT"))
                .endsWith("Read them back: all equal", "Logged out.");
    }

    @Test
    void staysUpAndPrintsTheLineForLinux() {
        assertThat(run("demo", "--listen", TestAddresses.ofThisProcess(2))).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .contains("add_target")
                .contains("id_ext=020000000000002a,ioc_guid=020000000000002a,dest=");
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandContext context = new CommandContext(new RoceDevices(), Map.of(), home, () -> 42, Runnable::run);
        CommandLine line = SrptCommand.commandLine(context);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
