package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The kernel's error handling against our target: resets, aborts, its whole ladder, lost guests and lost targets. */
@GuestTest
class KernelRecoveryIT {
    private static final Duration LIMIT = Duration.ofSeconds(150);
    private static final int RESET_SECONDS = TestProfile.count(30, 120);
    private static final int LUNS = TestProfile.count(32, 300);
    /** Two of three numbers are taken: the first target of a run, and this. */
    private static final int NUMBER = 2;

    @BeforeEach
    void prepare(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
    }

    @Test
    @Tag("pitfall-86")
    void resetsOfTheDiskInALoopLoseNothing(GuestLab lab) {
        Report report = run(lab, lab.target(), "resets", RESET_SECONDS, "ch_count=2");

        assertThat(report.number("fio_status")).as(report.text()).isZero();
        assertThat(report.number("resets")).isGreaterThan(3);
        assertThat(report.number("resets_failed")).isZero();
        assertThat(report.number("host_resets"))
                .as("no reset had to go further")
                .isZero();
        assertGoesOn(report);
        assertHoldsNothing(lab.target());
    }

    @Test
    @Tag("pitfall-81")
    void commandsThatComeLateAreAbortedAndRepeated(GuestLab lab) {
        try (Target target = lab.startTarget(NUMBER, "--inject", "command=WRITE_10,every=200,delay=3s")) {
            Report report = run(lab, target, "aborts", 15, "");

            assertThat(report.number("fio_status")).as(report.text()).isZero();
            assertThat(report.number("timeouts")).isPositive();
            assertThat(report.number("aborts")).isPositive();
            assertThat(functions(target, "abort_task")).isPositive();
            assertGoesOn(report);
            assertHoldsNothing(target);
        }
    }

    @Test
    @Tag("pitfall-87")
    void aStalledSessionDrivesTheInitiatorThroughItsLadderAndANewOneWorks(GuestLab lab) {
        try (Target target = lab.startTarget(NUMBER, "--inject", "channel=1,from=40,drop")) {
            Report report = run(lab, target, "ladder", 10, "");

            assertThat(report.number("fio_status")).as(report.text()).isZero();
            assertThat(report.number("aborts")).isPositive();
            assertThat(report.number("lun_resets")).isPositive();
            assertThat(report.number("host_resets")).isPositive();
            assertThat(functions(target, "abort_task")).isPositive();
            assertThat(functions(target, "lun_reset")).isPositive();
            assertThat(target.statistics().number("srpt_logins"))
                    .as("it came back")
                    .isGreaterThan(1);
            assertGoesOn(report);
            assertHoldsNothing(target);
        }
    }

    @Test
    @Tag("pitfall-51")
    void aCableThatIsPulledForAWhileLosesNothing(GuestLab lab) {
        Report report = run(lab, lab.target(), "cut", 10, "");

        assertThat(report.number("fio_status")).as(report.text()).isZero();
        assertThat(report.number("timeouts")).isPositive();
        assertThat(report.number("aborts")).isPositive();
        assertGoesOn(report);
        assertHoldsNothing(lab.target());
    }

    @Test
    @Tag("pitfall-88")
    void theTargetMayRestartUnderLoad(GuestLab lab) throws Exception {
        Path disk = lab.tool().directory().resolve("restart.img");
        Path signal = lab.initiator().machine().share().resolve("restart-now");
        Files.deleteIfExists(disk);
        Files.deleteIfExists(signal);
        String[] options = {"--lun", "file:" + disk + ":16MiB"};
        Target first = lab.startFileTarget(NUMBER, options);
        CompletableFuture<Report> running = CompletableFuture.supplyAsync(() -> run(lab, first, "restart", 15, ""));
        assertThat(Await.until(LIMIT, () -> Files.exists(signal) || running.isDone()))
                .isTrue();
        first.close();
        try (Target second = lab.startFileTarget(NUMBER, options)) {
            Report report = running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);

            assertThat(report.number("fio_status")).as(report.text()).isZero();
            assertGoesOn(report);
            assertThat(second.statistics().number("srpt_logins")).isPositive();
            assertHoldsNothing(second);
        }
    }

    /** The other address of the same port stays, and the port with it. */
    @Test
    void anAddressThatGoesAndComesBackLosesNothing(GuestLab lab) throws Exception {
        Path signal = lab.initiator().machine().share().resolve("address-now");
        Files.deleteIfExists(signal);
        try (Target target = lab.startTarget(NUMBER)) {
            CompletableFuture<Report> running =
                    CompletableFuture.supplyAsync(() -> run(lab, target, "address", 12, ""));
            assertThat(Await.until(LIMIT, () -> Files.exists(signal) || running.isDone()))
                    .isTrue();
            address(lab, "del");
            try {
                assertLogs(target, "192.0.2.2 is no address of br0 any more");
            } finally {
                address(lab, "add");
            }
            assertLogs(target, "192.0.2.2 is an address of this machine again");

            Report report = running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(report.number("fio_status")).as(report.text()).isZero();
            assertGoesOn(report);
            assertHoldsNothing(target);
        }
    }

    private static void address(GuestLab lab, String verb) {
        lab.tool()
                .run(LIMIT, "net", "exec", "ip", "addr", verb, "192.0.2." + NUMBER + "/24", "dev", "br0")
                .orFail("ip addr " + verb);
    }

    private static void assertLogs(Target target, String line) {
        assertThat(Await.until(Duration.ofSeconds(10), () -> target.log().contains(line)))
                .as(target.log())
                .isTrue();
    }

    @Test
    @Tag("pitfall-9")
    void aGuestThatDiedComesBackWithItsIdentityAndTheOldSessionGoes(GuestLab lab) {
        String line = lab.target().line(AddressFamily.IPV4).text();
        Report before = lab.target().statistics();
        try (GuestMachine machine = GuestMachine.boot(lab.tool(), "second", 22)) {
            machine.run(
                    LIMIT,
                    "rdma_up 1500; srp_load; srp_login '" + line + "' ch_count=2; dd if=$DISK of=/dev/null bs=1M"
                            + " count=8 iflag=direct status=none");
            assertThat(lab.target().statistics().number("srpt_channels")).isEqualTo(before.number("srpt_channels") + 2);
        }
        // QEMU is gone: no DREQ was sent. Its queue pairs have the old numbers again, so the first REQ of each is
        // answered
        // with REJ "stale connection", at which ib_srp gives up; srp_daemon would add the target again, as is done
        // here.
        try (GuestMachine machine = GuestMachine.boot(lab.tool(), "second", 22)) {
            machine.run(
                    LIMIT,
                    "rdma_up 1500; srp_load; wait_for 5 test -e $srp_class/add_target; for n in 1 2 3 4 5; do echo '"
                            + line + ",ch_count=2' >$srp_class/add_target && break; sleep 0.5; done;"
                            + " HOST=$(ls /sys/class/srp_host); wait_for 10 disk_of $HOST;"
                            + " dd if=/dev/$(disk_of $HOST) of=/dev/null bs=64k count=16 iflag=direct status=none");
            assertThat(Await.until(
                            Duration.ofSeconds(60),
                            () -> lab.target().statistics().number("srpt_channels")
                                    == before.number("srpt_channels") + 2))
                    .as("the old channels are gone: " + lab.target().log())
                    .isTrue();
            machine.run(LIMIT, "srp_logout_all");
        }
        assertHoldsNothing(lab.target());
    }

    @Test
    void twoGuestsShareADisk(GuestLab lab) {
        String line = lab.target().line(AddressFamily.IPV4).text();
        try (GuestMachine second = GuestMachine.boot(lab.tool(), "second", 22)) {
            second.run(LIMIT, "rdma_up 1500; srp_load");
            second.run(
                    LIMIT,
                    "srp_login '" + line + "' ''; head -c 1048576 /dev/urandom >/share/written;"
                            + " dd if=/share/written of=$DISK bs=64k oflag=direct status=none; sha256sum </share/written; srp_logout $HOST");
            String written =
                    second.run(LIMIT, "sha256sum </share/written").text().strip();
            Report read = lab.initiator()
                    .machine()
                    .run(
                            LIMIT,
                            "srp_login '" + line + "' ''; dd if=$DISK bs=64k count=16 iflag=direct status=none"
                                    + " | sha256sum; srp_logout $HOST");
            assertThat(read.text()).contains(written);
        }
        assertHoldsNothing(lab.target());
    }

    @Test
    void eightChannelsAreOneSession(GuestLab lab) {
        Report report = lab.initiator()
                .run(
                        LIMIT,
                        "verify.sh",
                        lab.target().line(AddressFamily.IPV4).text(),
                        "ch_count=8",
                        "eight:randrw:8k:1m:32");

        assertThat(report.number("eight.errors")).isZero();
        assertThat(report.number("io_errors") + report.number("timeouts") + report.number("reconnects"))
                .isZero();
        assertHoldsNothing(lab.target());
    }

    @Test
    void manyDisksAreAllThere(GuestLab lab) {
        List<String> options = new ArrayList<>();
        IntStream.range(1, LUNS).forEach(lun -> options.addAll(List.of("--lun", "memory:1MiB")));
        try (Target target = lab.startTarget(NUMBER, options.toArray(String[]::new))) {
            Report report = lab.initiator()
                    .machine()
                    .run(
                            LIMIT,
                            "srp_login '" + target.line(AddressFamily.IPV4).text() + "' ''; all() { [ $(lsscsi | grep"
                                    + " -c SRPT) = " + LUNS
                                    + " ]; }; wait_for 60 all; echo disks $(lsscsi | grep -c SRPT);"
                                    + " for d in $(lsscsi | awk '/SRPT/ {print $NF}'); do dd if=$d of=/dev/null bs=64k count=1"
                                    + " iflag=direct status=none || echo bad $d; done; srp_logout $HOST");
            assertThat(report.number("disks")).as(report.text()).isEqualTo(LUNS);
            assertThat(report.text()).doesNotContain("bad ");
            assertHoldsNothing(target);
        }
    }

    @Test
    void tablesThatAreTooLongForTheUnitAreReadFromTheInitiator(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.PARTIAL_TABLES);
        Report before = lab.target().statistics();

        Report report = lab.initiator()
                .run(
                        LIMIT,
                        "verify.sh",
                        lab.target().line(AddressFamily.IPV4).text(),
                        "allow_ext_sg=1,cmd_sg_entries=1",
                        "partial:randrw:256k:4m:8");

        assertThat(report.number("partial.errors")).isZero();
        assertThat(report.number("io_errors") + report.number("timeouts") + report.number("reconnects"))
                .isZero();
        Report after = lab.target().statistics();
        assertThat(after.number("srpt_table_reads") - before.number("srpt_table_reads"))
                .as("RDMA READs of tables: one for each command that has only a part of its own")
                .isPositive()
                .isEqualTo(after.number("srpt_commands_partial") - before.number("srpt_commands_partial"));
    }

    private static Report run(GuestLab lab, Target target, String recoveryCase, int seconds, String options) {
        return lab.initiator()
                .run(
                        LIMIT.plusSeconds(seconds),
                        "recovery.sh",
                        recoveryCase,
                        target.line(AddressFamily.IPV4).text(),
                        Integer.toString(seconds),
                        options);
    }

    private static void assertGoesOn(Report report) {
        assertThat(report.number("next_read")).as(report.text()).isZero();
        assertThat(report.text()).contains("state running");
    }

    private static void assertHoldsNothing(Target target) {
        boolean gone =
                Await.until(Duration.ofSeconds(30), () -> target.statistics().number("srpt_channels") == 0);
        assertThat(gone).as("channels are left:\n" + target.log()).isTrue();
        assertThat(target.statistics().number("srpt_address_handles")).isZero();
        assertThat(target.statistics().lines())
                .filteredOn(line -> line.startsWith("srpt_commands_inflight{"))
                .allMatch(line -> line.matches(".* 0(\\.0)?"));
    }

    private static long functions(Target target, String function) {
        return target.statistics().lines().stream()
                .filter(line -> line.startsWith("srpt_task_management_total{")
                        && line.contains("function=\"" + function + "\"")
                        && line.contains("response=\"complete\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
