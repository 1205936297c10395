package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A target that is changed while fio writes and verifies in the guest: disks that come, grow and go, and access that is given and
 * taken. The I/O loses nothing, and the kernel learns of each change by unit attention.
 */
@GuestTest
class KernelReloadIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int NUMBER = 2;
    private static final String TOKEN = "token-of-the-guest-tests";
    private static final String URL = "http://127.0.0.1:9465";
    private static final long MEBIBYTE = 1 << 20;

    @BeforeEach
    void prepare(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
    }

    @Test
    void disksComeGrowAndGoUnderLoad(GuestLab lab) throws IOException {
        Operator operator = new Operator(lab).writes("lun: [file:DIR/reload-0.img:16MiB]", "acls: [192.0.2.21]");
        try (TargetProcess target = operator.start()) {
            guest(lab, "start", target.line(AddressFamily.IPV4).text());

            operator.writes("lun: [file:DIR/reload-0.img:16MiB, file:DIR/reload-1.img:8MiB]", "acls: [192.0.2.21]");
            target.reload();
            guest(lab, "attention", "0", "luns_changed");
            assertIsFound(guest(lab, "scan", "1"), 8);

            operator.writes("lun: [file:DIR/reload-0.img:24MiB, file:DIR/reload-1.img:8MiB]", "acls: [192.0.2.21]");
            target.reload();
            guest(lab, "attention", "0", "capacity_changed");
            assertHasGrown(guest(lab, "rescan", "0"), 24);

            assertThat(operator.srpt("lun", "remove", "1")).contains("LUN 1: removed");
            guest(lab, "attention", "0", "luns_changed");
            assertIsGone(guest(lab, "delete", "1"));

            assertLostNothing(guest(lab, "stop"));
        }
    }

    @Test
    void anInitiatorIsLetInAndShutOutWhileAnotherOneWorks(GuestLab lab) throws IOException {
        String disk = "lun: [file:DIR/reload-0.img:16MiB]";
        Operator operator = new Operator(lab).writes(disk, "acls: [192.0.2.21]");
        try (TargetProcess target = operator.start()) {
            guest(lab, "start", target.line(AddressFamily.IPV4).text());
            String second = target.line(AddressFamily.IPV6).text();
            assertThat(attempt(lab, "second", second).output()).contains("login refused");

            operator.writes(disk, "acls: [192.0.2.21, fd5a:1::21]");
            assertThat(operator.srpt("config", "reload")).contains("acls: changed");
            assertThat(guest(lab, "second", second).number("dd_status")).isZero();
            assertThat(target.statistics().number("srpt_channels")).isEqualTo(2);

            operator.writes(disk, "acls: [192.0.2.21]");
            assertThat(operator.srpt("config", "reload")).contains("acls: changed");
            guest(lab, "second-gone");
            assertThat(target.statistics().number("srpt_channels")).isOne();

            assertLostNothing(guest(lab, "stop"));
        }
    }

    private static Report guest(GuestLab lab, String... arguments) {
        return lab.initiator().run(LIMIT, "reload.sh", arguments);
    }

    private static GuestTool.Result attempt(GuestLab lab, String verb, String argument) {
        return lab.initiator().machine().attempt(LIMIT, "bash /guest/reload.sh " + verb + " '" + argument + "'");
    }

    private static void assertIsFound(Report report, long mebibytes) {
        assertThat(report.number("bytes")).isEqualTo(mebibytes * MEBIBYTE);
        assertThat(report.number("dd_status")).isZero();
    }

    private static void assertHasGrown(Report report, long mebibytes) {
        assertThat(report.number("bytes")).isEqualTo(mebibytes * MEBIBYTE);
        assertThat(report.number("end_status"))
                .as("what was written to the new end comes back")
                .isZero();
    }

    private static void assertIsGone(Report report) {
        assertThat(report.number("dd_status")).isPositive();
        assertThat(report.number("listed")).isZero();
    }

    private static void assertLostNothing(Report report) {
        assertThat(report.number("fio_status")).as(report.text()).isZero();
        assertThat(report.number("fio_runs")).isPositive();
        assertThat(report.number("timeouts")).isZero();
        assertThat(report.number("reconnects")).isZero();
        assertThat(report.number("io_errors")).isZero();
        assertThat(report.value("state")).isEqualTo("running");
    }

    /** Who runs a target by a file, which has {@code DIR} for the folder of the run, and by commands. */
    private static final class Operator {
        private final GuestLab lab;
        private final Path directory;
        private final Path file;

        Operator(GuestLab lab) throws IOException {
            this.lab = lab;
            directory = lab.tool().directory();
            file = directory.resolve("reload.yaml");
            for (String disk : new String[] {"reload-0.img", "reload-1.img"}) {
                Files.deleteIfExists(directory.resolve(disk));
            }
        }

        Operator writes(String... lines) throws IOException {
            String http = "http: " + URL.substring("http://".length()) + "\nhttp-token: " + TOKEN + "\n";
            Files.writeString(file, http + String.join("\n", lines).replace("DIR", directory.toString()) + "\n");
            return this;
        }

        TargetProcess start() {
            return lab.startFileTarget(NUMBER, "--config", file.toString());
        }

        /** Runs a command of {@code srpt} beside the target, an error unless it ends with status 0; answers what it prints. */
        String srpt(String... arguments) {
            return GuestJava.onHost(lab.tool(), List.of("SRPT_URL=" + URL, "SRPT_HTTP_TOKEN=" + TOKEN), arguments);
        }
    }
}
