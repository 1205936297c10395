package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The target on real verbs: DiSNI over libibverbs, librdmacm and libibumad, on the kernel's {@code rdma_rxe} in a guest.
 * Initiators are the kernel's, in another guest and in the same, and ours, on the host and on verbs.
 */
@GuestTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DisniTargetIT {
    private static final int NUMBER = 20;
    private static final Duration STEP_LIMIT = Duration.ofSeconds(60);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int ROUNDS = TestProfile.count(2, 10);
    private static final int QUERIES = TestProfile.count(100, 1000);
    private static final int CYCLES = TestProfile.count(20, 200);
    private static final int FILES = 42;
    private static final String QUERY_MIX = "get:1:0 get:10:0 get:11:1 get:12:10000 get:55:0";

    /** What bench says when it read, wrote, and nothing failed. */
    private static final Pattern WORKED = Pattern.compile("(?m)^[1-9]\\d* reads, [1-9]\\d* writes of .* 0 errors$");

    private GuestMachine machine;
    private GuestJava jvm;
    private DisniTarget target;

    @BeforeAll
    void start(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
        machine = GuestMachine.boot(lab.tool(), "verbs", NUMBER, "--memory", "1536", "--cpus", "2");
        machine.run(STEP_LIMIT, "rdma_up 1500; modprobe -a ib_uverbs rdma_ucm ib_umad ib_srp sg sd_mod");
        jvm = lab.jvm();
        target = DisniTarget.start(machine, jvm);
    }

    @AfterAll
    void stop() {
        try (GuestMachine running = machine;
                DisniTarget serving = target) {
            // Whatever of them there is: the start may have failed.
        }
    }

    @Test
    @Order(1)
    void anotherGuestsKernelKeepsAFileSystem(GuestLab lab) {
        for (int round = 0; round < ROUNDS; round++) {
            String line = target.line(round % 2 == 0 ? AddressFamily.IPV4 : AddressFamily.IPV6)
                    .text();

            Report files = lab.initiator().run(LIMIT, "login.sh", line, "ch_count=2");
            Report verified = lab.initiator().run(LIMIT, "verify.sh", line, "ch_count=2", "mixed:randrw:16k:2m:16");

            assertThat(files.number("files")).isEqualTo(FILES);
            assertThat(verified.number("mixed.errors")).isZero();
            assertThat(verified.number("io_errors") + verified.number("timeouts") + verified.number("reconnects"))
                    .isZero();
        }
    }

    @Test
    @Order(2)
    void theSameGuestsKernelKeepsAFileSystem() {
        Report files = machine.run(
                LIMIT,
                "bash /guest/login.sh '" + target.line(AddressFamily.IPV4).text() + "' ''");

        assertThat(files.number("files")).isEqualTo(FILES);
    }

    @Test
    @Order(3)
    void eachQueryIsAnsweredOnceAndEachSendCompletes(GuestLab lab) {
        Report before = target.statistics();
        PacketCapture capture =
                PacketCapture.start(lab.tool(), lab.initiator().machine(), "verbs-device-management.pcap");
        Report load;
        try (capture) {
            load = query(lab, QUERIES);
        }

        assertThat(load.number("answered")).isEqualTo(QUERIES);
        assertThat(load.number("repeated") + load.number("foreign")).isZero();
        Report wire = PacketCapture.check(lab.tool(), capture.file(), target);
        assertThat(wire.number("dm.answered_once")).isEqualTo(QUERIES);
        Report after = target.statistics();
        assertThat(sends(after) - sends(before))
                .as("completions of sends, from a completion queue")
                .isEqualTo(QUERIES);
        assertThat(after.number("srpt_mad_buffers_in_use")).isEqualTo(before.number("srpt_mad_buffers_in_use"));
        assertThat(after.number("srpt_address_handles")).isZero();
        assertThat(target.log()).contains("replies leave from queue pair");
    }

    @Test
    @Order(4)
    void ourInitiatorOnTheHostWorksWithTheTargetOnVerbs(GuestLab lab) {
        assertThat(host(lab, "discover", "fd5a:1::" + NUMBER, "--local", "fd5a:1::3"))
                .contains("SRP.T10:" + DisniTarget.GUID);
        String done = host(
                lab,
                "bench",
                "192.0.2." + NUMBER,
                "--local",
                "192.0.2.3",
                "--mtu",
                "1024",
                "--mix",
                "50",
                "--depth",
                "8",
                "--seconds",
                "3",
                "--warmup",
                "1");
        assertThat(done).containsPattern(WORKED);
    }

    @Test
    @Order(5)
    void ourInitiatorOnVerbsWorksWithTheSoftwareTarget(GuestLab lab) {
        TargetLine software = lab.target().line(AddressFamily.IPV4);
        String done = machine.run(
                        LIMIT,
                        jvm.srpt("bench " + software.address() + " --provider disni --local 192.0.2." + NUMBER
                                + " --ioc-guid " + software.guid()
                                + " --mtu 1024 --mix 50 --depth 8 --seconds 3 --warmup 1"))
                .text();
        assertThat(done).containsPattern(WORKED);
    }

    @Test
    @Order(6)
    void manyLoginsHoldNothing(GuestLab lab) {
        String line = target.line(AddressFamily.IPV4).text();
        lab.initiator().run(LIMIT, "cycle.sh", line, "", "1");
        Report before = settled(null);

        Report report =
                lab.initiator().run(LIMIT.plusSeconds(CYCLES * 10L), "cycle.sh", line, "", Integer.toString(CYCLES));

        assertThat(report.number("cycles")).isEqualTo(CYCLES);
        Report after = settled(before);
        for (String kind : List.of("fd", "mr", "qp", "cq", "pd", "cm_id", "srq")) {
            assertThat(after.number(kind)).as(kind + " in:\n" + after.text()).isEqualTo(before.number(kind));
        }
        assertThat(after.number("qp")).as("the kernel counts").isPositive();
    }

    /** What the process holds once the channels are gone, and no more than {@code before} if that comes soon. */
    private Report settled(Report before) {
        Report[] latest = {target.held()};
        Await.until(Duration.ofSeconds(30), () -> {
            latest[0] = target.held();
            return target.statistics().number("srpt_channels") == 0
                    && (before == null || latest[0].number("qp") <= before.number("qp"));
        });
        return latest[0];
    }

    @Test
    @Order(7)
    void theVerbsContractHoldsOnVerbs() {
        Report report = machine.run(
                LIMIT,
                jvm.run(
                        contractClassPath(),
                        "--add-exports java.base/sun.nio.ch=ALL-UNNAMED --enable-native-access=ALL-UNNAMED"
                                + " -Dsrpt.verbs.device=rxe0",
                        "io.srpt.disni.ContractOnDevice"));

        assertThat(report.number("failed")).as(report.text()).isZero();
        assertThat(report.number("passed")).as(report.text()).isGreaterThanOrEqualTo(12);
    }

    /** The core's tests, and all that this JVM has; the guest sees the host's files under the same names. */
    private static List<String> contractClassPath() {
        // The core's jar is where its classes were compiled to, and beside it are its tests.
        Path core = Path.of("../srpt-core").toAbsolutePath().normalize();
        String ours = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String build = ours.contains("/srpt-core/target/quick/") ? "target/quick" : "target";
        List<String> path = new ArrayList<>(
                List.of(core.resolve(build).resolve("test-classes").toString()));
        path.addAll(List.of(ours.split(":")));
        return path;
    }

    @Test
    @Order(8)
    void theNativeLibraryKeepsItsMemoryInOrder() throws Exception {
        Path driver = Path.of("target/guest/native-driver").toAbsolutePath();
        Path sources = Path.of("../srpt-core/src/main/native").toAbsolutePath().normalize();
        Process make = new ProcessBuilder(
                        "make",
                        "-s",
                        "-C",
                        sources.toString(),
                        "OUT=" + driver.getParent(),
                        "CFLAGS=-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer",
                        driver.toString().replace("native-driver", "driver"))
                .redirectErrorStream(true)
                .start();
        String output = new String(make.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(make.waitFor()).as(output).isZero();

        Report report = machine.run(LIMIT, driver.resolveSibling("driver") + " 192.0.2." + NUMBER + " 18515 2>&1");

        assertThat(report.value("driver")).as(report.text()).isEqualTo("ok");
    }

    @Test
    @Order(9)
    void repliesLeaveThroughUmadIfThatIsWanted(GuestLab lab) {
        target.close();
        target = DisniTarget.start(machine, jvm, "--mad-send", "umad");
        Report before = target.statistics();

        Report load = query(lab, QUERIES / 5);

        assertThat(load.number("answered")).isEqualTo(QUERIES / 5);
        Report after = target.statistics();
        assertThat(sends(after) - sends(before)).isEqualTo(QUERIES / 5);
        assertThat(after.number("srpt_address_handles")).isZero();
        assertThat(after.number("srpt_mad_buffers_in_use")).isEqualTo(before.number("srpt_mad_buffers_in_use"));
        assertThat(target.log()).contains("replies leave through umad");
    }

    @Test
    @Order(10)
    void saysWhoOwnsDeviceManagementWhenItCannotHaveIt(GuestLab lab) {
        target.close();
        machine.run(STEP_LIMIT, "modprobe ib_srpt");
        target = DisniTarget.start(machine, jvm);

        assertThat(target.log()).contains("has an owner already").contains("rmmod ib_srpt");
        Report files = lab.initiator()
                .run(LIMIT, "cycle.sh", target.line(AddressFamily.IPV4).text(), "", "1");
        assertThat(files.number("cycles")).as("logins are served all the same").isOne();
    }

    private Report query(GuestLab lab, int count) {
        return lab.initiator()
                .machine()
                .run(LIMIT, "python3 /guest/dm-query.py --count " + count + " fd5a:1::" + NUMBER + " " + QUERY_MIX);
    }

    private static long sends(Report statistics) {
        return statistics.lines().stream()
                .filter(line -> line.startsWith("srpt_mad_send_completions_total{") && line.contains("\"success\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Runs {@code srpt} on the host, in the network of the guests. */
    private static String host(GuestLab lab, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("ip", "netns", "exec", lab.tool().network()));
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-jar", GuestJava.JAR.toString()));
        command.addAll(List.of(arguments));
        return lab.tool()
                .execute(LIMIT, command)
                .orFail(String.join(" ", command))
                .output();
    }
}
