package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the kernel's initiator sees of access rules: disks that begin elsewhere than at 0, and access that goes and comes. */
@GuestTest
class KernelAccessIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int NUMBER = 2;

    /** As often {@code ib_srp} fails before it waits longer from one attempt to the next. */
    private static final int ATTEMPTS = 11;

    @BeforeEach
    void prepare(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
    }

    @Test
    void withoutLunZeroTheOthersAreThere(GuestLab lab) throws IOException {
        Path file = configuration(lab, """
                lun: [{lun: 5, store: memory:4MiB}, {lun: 300, store: memory:8MiB}]
                acls: any
                """);
        try (Target target = lab.startFileTarget(NUMBER, "--config", file.toString())) {
            Report report = lab.initiator()
                    .machine()
                    .run(
                            LIMIT,
                            "srp_login '" + target.line(AddressFamily.IPV4).text() + "' ''; disks() { lsscsi | grep"
                                    + " -c SRPT; }; both() { [ $(disks) = 2 ]; }; wait_for 20 both; lsscsi; for disk in"
                                    + " $(lsscsi | awk '/SRPT/ {print $NF}'); do echo size $(blockdev --getsize64 $disk);"
                                    + " dd if=$disk of=/dev/null bs=64k iflag=direct status=none || echo bad $disk; done;"
                                    + " srp_logout $HOST");

            assertThat(report.text())
                    .containsPattern("\\[\\d+:0:0:5]")
                    .as("300, as a LUN in flat space addressing")
                    .containsPattern("\\[\\d+:0:0:" + (0x4000 + 300) + "]")
                    .doesNotContainPattern("\\[\\d+:0:0:0] +disk")
                    .contains("size 4194304", "size 8388608")
                    .doesNotContain("bad ");
        }
    }

    @Test
    @Tag("pitfall-88")
    @Tag("pitfall-89")
    @Tag("pitfall-91")
    @Tag("pitfall-102")
    void accessThatIsWithdrawnUnderLoadEndsItsSessionsAndComesBackWhenItIsGivenAgain(GuestLab lab) throws Exception {
        String allowed = "acls: [192.0.2.0/24]\n";
        String withdrawn = "acls: [192.0.2.99]\n";
        Path file = configuration(lab, allowed);
        Path share = lab.initiator().machine().share();
        try (Target target = lab.startTarget(NUMBER, "--config", file.toString())) {
            CompletableFuture<Report> running = CompletableFuture.supplyAsync(() -> lab.initiator()
                    .run(LIMIT, "access.sh", target.line(AddressFamily.IPV4).text()));
            awaitFile(share.resolve("access-withdraw"), running);
            reload(target, file, withdrawn);
            assertThat(Await.until(
                            Duration.ofSeconds(10), () -> target.statistics().number("srpt_channels") == 0))
                    .as(target.log())
                    .isTrue();
            assertThat(Await.until(LIMIT, () -> refused(target) >= ATTEMPTS || running.isDone()))
                    .isTrue();
            assertThat(target.statistics().number("srpt_channels")).isZero();
            reload(target, file, allowed);
            Files.createFile(share.resolve("access-restored"));
            awaitFile(share.resolve("access-gone"), running);
            reload(target, file, withdrawn);

            Report report = running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(report.number("fio_runs")).as(report.text()).isOne();
            assertThat(report.number("failed_attempts")).isGreaterThanOrEqualTo(ATTEMPTS - 1);
            assertThat(report.number("back_after_seconds")).isLessThan(15);
            assertThat(report.number("fio_status")).as("its disk is gone").isPositive();
            assertThat(target.statistics().number("srpt_channels")).isZero();
        }
    }

    private static void reload(Target target, Path file, String text) throws IOException {
        Files.writeString(file, text);
        ((TargetProcess) target).reload();
    }

    private static void awaitFile(Path file, CompletableFuture<Report> running) {
        assertThat(Await.until(LIMIT, () -> Files.exists(file) || running.isDone()))
                .isTrue();
        assertThat(file).as(() -> running.isDone() ? running.join().text() : "").exists();
    }

    private static long refused(Target target) {
        return target.statistics().lines().stream()
                .filter(line -> line.startsWith("srpt_login_rejects_total{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static Path configuration(GuestLab lab, String text) throws IOException {
        return Files.writeString(lab.tool().directory().resolve("access.yaml"), text);
    }
}
