package io.srpt.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.ScsiResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code srpt.jar serve} and the commands that talk to it as processes of their own. */
class ServeIT {
    private static final String FIRST = TestAddresses.ofThisProcess(1);
    private static final String SECOND = TestAddresses.ofThisProcess(2);
    private static final String INITIATOR = TestAddresses.ofThisProcess(3);

    @TempDir
    private Path directory;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void servesUntilItIsTerminatedAndIsTheSameTargetAgain() throws Exception {
        Path stats = directory.resolve("stats");
        Process server =
                serve("--lun", "memory:16MiB", "--listen", FIRST, "--listen", SECOND, "--stats-file", stats.toString());
        List<String> ready = readLines(server, 2);
        assertThat(ready.get(0)).matches("id_ext=([0-9a-f]{16}),ioc_guid=\\1,dest=" + FIRST + ":5555");
        assertThat(ready.get(1)).endsWith("dest=" + SECOND + ":5555");

        Result discovered = run("discover", SECOND);
        assertThat(discovered.exitCode()).as(discovered.err()).isZero();
        assertThat(discovered.out())
                .startsWith(ready.get(1).substring(0, ready.get(1).indexOf(",dest")));

        Result bench = run("bench", FIRST, "--seconds", "1", "--warmup", "0", "--mix", "50", "--json");
        assertThat(bench.exitCode()).as(bench.err()).isZero();
        JsonNode json = JsonMapper.shared().readTree(bench.out());
        assertThat(json.get("errors").longValue()).isZero();
        assertThat(json.get("iops").doubleValue()).isPositive();

        terminate(server);
        assertThat(Files.readAllLines(stats))
                .contains("srpt_channels 0", "srpt_logins 1", "srpt_logouts 1", "srpt_memory_regions 0")
                .anyMatch(line -> line.matches("srpt_commands_inflight\\{.*} 0\\.0"))
                .anyMatch(line -> line.matches("srpt_commands_direct [1-9]\\d*"));

        Process again = serve("--lun", "memory:16MiB", "--listen", FIRST);
        assertThat(readLines(again, 1)).containsExactly(ready.get(0));
        terminate(again);
    }

    @Test
    void disksAreCalledTheSameAtEachAddressAndAfterARestart() throws Exception {
        String file = "file:" + directory.resolve("disk.img") + ":1MiB";
        String[] options = {
            "--lun", "memory:1MiB", "--lun", "memory:1MiB", "--lun", file, "--listen", FIRST, "--listen", SECOND
        };
        Process server = serve(options);
        readLines(server, 2);
        List<String> identities = identities(FIRST, 3);
        assertThat(identities).doesNotHaveDuplicates();
        assertThat(identities(SECOND, 3)).isEqualTo(identities);
        terminate(server);

        Process again = serve(options);
        readLines(again, 2);
        assertThat(identities(FIRST, 3)).isEqualTo(identities);
        terminate(again);

        Files.move(directory.resolve("state"), directory.resolve("state of another target"));
        Process another = serve(options);
        readLines(another, 2);
        assertThat(identities(FIRST, 3)).doesNotContainAnyElementsOf(identities);
        terminate(another);
    }

    /** What the disks are called: the serial number, and the designators of the device identification page that are theirs. */
    private static List<String> identities(String address, int luns) throws Exception {
        List<String> identities = new ArrayList<>();
        try (TestInitiator initiator = TestInitiator.open(INITIATOR);
                BlockingSrpClient session = initiator.login(address)) {
            for (int lun = 0; lun < luns; lun++) {
                byte[] serial = page(session, lun, 0x80);
                byte[] page = page(session, lun, 0x83);
                assertThat(HexFormat.of().formatHex(page, 4, 9))
                        .as("begins with NAA 6")
                        .isEqualTo("0103001060");
                StringBuilder identity = new StringBuilder(new String(serial, 4, serial.length - 4, US_ASCII));
                for (int at = 4, end; at < page.length; at = end) {
                    end = at + 4 + page[at + 3];
                    boolean ofTheUnit = (page[at + 1] & 0x30) == 0;
                    identity.append(ofTheUnit ? " " + HexFormat.of().formatHex(page, at, end) : "");
                }
                identities.add(identity.toString());
            }
        }
        return identities;
    }

    private static byte[] page(BlockingSrpClient session, int lun, int page) throws Exception {
        byte[] inquiry = {0x12, 1, (byte) page, 0, (byte) 0xFF, 0};
        return session.executeRead(lun, inquiry, 255).get(30, TimeUnit.SECONDS).data();
    }

    @Test
    void aDiskWhoseSanitizingWasKilledGivesNothingOutAfterTheRestart() throws Exception {
        String file = "file:" + directory.resolve("disk.img") + ":64MiB";
        byte[] overwrite = {0x48, (byte) 0x81, 0, 0, 0, 0, 0, 0, 5, 0}; // IMMED
        byte[] thirtyOnePasses = {0x1F, 0, 0, 1, 0x55};
        byte[] read = {0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0};
        Process server = serve("--lun", file, "--listen", FIRST);
        readLines(server, 1);
        Process again;
        try (TestInitiator initiator = TestInitiator.open(INITIATOR);
                BlockingSrpClient session = initiator.login(FIRST)) {
            session.testUnitReady(0);
            ScsiResult begun =
                    session.executeWrite(0, overwrite, thirtyOnePasses).get(30, TimeUnit.SECONDS);
            assertThat(begun.isGood()).as(begun.description()).isTrue();
            server.destroyForcibly().waitFor();
            again = serve("--lun", file, "--listen", FIRST);
            readLines(again, 1);
            try (BlockingSrpClient afterwards = initiator.login(FIRST)) {
                afterwards.executeRead(0, read, 512).get(30, TimeUnit.SECONDS); // hears of power on
                ScsiResult result = afterwards.executeRead(0, read, 512).get(30, TimeUnit.SECONDS);
                assertThat(result.decodedSense()).hasToString("3/31/03");
            }
        }
        terminate(again);
    }

    @Test
    void keepsStrangersOutWithoutAcls() throws Exception {
        Path config = Files.writeString(directory.resolve("srpt.yaml"), "lun: memory:1MiB\nlisten: " + FIRST + "\n");
        Process server = serve("--config", config.toString());
        readLines(server, 1);

        Result refused = run("bench", FIRST, "--seconds", "1");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err()).contains("the target rejected the login").contains("0x00010006");
        terminate(server);
    }

    @Test
    @Tag("pitfall-47")
    void saysWhoMayOwnThePort() throws Exception {
        Process server = serve("--lun", "memory:1MiB", "--listen", FIRST);
        readLines(server, 1);

        Result second = run("serve", "--lun", "memory:1MiB", "--listen", FIRST, "--state-dir", directory.toString());
        assertThat(second.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(second.err())
                .contains("cannot bind UDP port 4791 of " + FIRST)
                .contains("rdma_rxe");
        terminate(server);
    }

    private Process serve(String... options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("serve", "--state-dir", directory.resolve("state").toString()));
        command.addAll(List.of(options));
        return start(command, ProcessBuilder.Redirect.DISCARD);
    }

    private Process start(List<String> arguments, ProcessBuilder.Redirect err) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-jar", property("srpt.jar")));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private Result run(String... arguments) throws Exception {
        Path err = directory.resolve("err");
        Process process = start(List.of(arguments), ProcessBuilder.Redirect.to(err.toFile()));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
        return new Result(process.exitValue(), out, Files.readString(err));
    }

    private static void terminate(Process process) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended in time").isTrue();
        assertThat(process.exitValue()).isEqualTo(ExitCode.OK);
    }

    private static List<String> readLines(Process process, int count) throws Exception {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        return CompletableFuture.supplyAsync(
                        () -> reader.lines().limit(count).toList(),
                        task -> Thread.ofVirtual().start(task))
                .get(30, TimeUnit.SECONDS);
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }

    private record Result(int exitCode, String out, String err) {}
}
