package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One disk through two ports of a target, as one dm-multipath map of the kernel with its ALUA handler: the kernel reads who the
 * disk is and the states of its ports, follows when states change, and lives with a path less.
 */
@GuestTest
class KernelMultipathIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int NUMBER = 2;
    private static final String FAR = "198.51.100.2";
    private static final int NOT_READY = 2;
    private static final int FIO_TOLD_TO_END = 128;

    /** A target with a near and a far port, and the guest's map of its disk over both. */
    private static final class Paths implements AutoCloseable {
        final TargetProcess target;
        /** What the guest saw first. */
        final Report seen;

        private final GuestLab lab;
        private final Path configuration;

        Paths(GuestLab lab) {
            this.lab = lab;
            configuration = lab.tool().directory().resolve("multipath.yaml");
            configure("active-optimized", "standby", "");
            lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
            target = lab.startFileTarget(NUMBER, "--config", configuration.toString(), "--listen", FAR);
            seen = run(
                    "setup",
                    target.line(AddressFamily.IPV4).text(),
                    target.lines().getLast().text());
        }

        private void configure(String near, String far, String more) {
            try {
                Files.writeString(configuration, """
                        acls: any
                        lun: "memory:64MiB"
                        alua:
                          groups:
                          - {id: 1, name: near, state: %s, preferred: true, ports: [192.0.2.2, "fd5a:1::2"]}
                          - {id: 2, name: far, state: %s, ports: [%s]}
                        %s
                        """.formatted(near, far, FAR, more));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Changes the states of the two groups and further settings, by a changed file. */
        void reload(String near, String far, String more, String logged) {
            int before = target.log().length();
            configure(near, far, more);
            target.reload();
            assertThat(Await.until(LIMIT, () -> target.log().indexOf(logged, before) >= 0))
                    .as(target.log())
                    .isTrue();
        }

        Report run(String... command) {
            return lab.initiator().run(LIMIT, "multipath.sh", command);
        }

        @Override
        public void close() {
            try (target) {
                run("leave");
            }
        }
    }

    private static void assertStates(Report report, String near, String far) {
        for (String path : new String[] {"near", "far"}) {
            assertThat(report.value(path + ".reported.0x1")).as(report.text()).isEqualTo(near);
            assertThat(report.value(path + ".reported.0x2")).as(report.text()).isEqualTo(far);
        }
        assertThat(report.value("near.state")).as(report.text()).isEqualTo(near);
        assertThat(report.number("near.preferred")).isEqualTo(1);
        assertThat(report.value("far.state")).as(report.text()).isEqualTo(far);
        assertThat(report.number("far.preferred")).isZero();
    }

    private static Paths paths;

    @BeforeAll
    static void mapTheDisk(GuestLab lab) {
        paths = new Paths(lab);
    }

    @AfterAll
    static void leave() {
        if (paths != null) {
            paths.close();
        }
    }

    @Test
    void bothPathsLeadToTheSameDisk() {
        Report seen = paths.seen;
        assertThat(seen.value("far.disk")).as(seen.text()).isEqualTo(seen.value("near.disk"));
        assertThat(seen.value("far.wwid")).startsWith("naa.6").isEqualTo(seen.value("near.wwid"));
        assertThat(seen.value("near.port")).isEqualTo("0x1");
        assertThat(seen.value("far.port")).isEqualTo("0x2");
        assertThat(seen.value("near.group")).isEqualTo("0x1");
        assertThat(seen.value("far.group")).isEqualTo("0x2");
        assertThat(seen.values()).doesNotContainKey("rtpg_extended_failed");
        assertStates(seen, "active/optimized", "standby");
        assertMoved(seen);
    }

    @Test
    void statesThatChangeAreSeenAndFollowed() {
        paths.reload("standby", "active-non-optimized", "", "alua: group far becomes");
        Report followed = paths.run("follow");
        assertMoved(followed);
        // The kernel's handler asks for the best state of the group that it moves to.
        assertStates(followed, "standby", "active/optimized");
        assertThat(paths.target.log())
                .contains("Target port group far becomes active-optimized, was active-non-optimized");
        for (String medium : new String[] {"ready", "read", "write"}) {
            assertThat(followed.number(medium + ".status")).as(followed.text()).isEqualTo(NOT_READY);
            assertThat(followed.number(medium + ".standby")).as(followed.text()).isEqualTo(1);
        }
        for (String served : new String[] {"inquiry", "capacity", "reservations"}) {
            assertThat(followed.number(served + ".status")).as(followed.text()).isZero();
        }

        Report back = paths.run("back");
        assertStates(back, "active/optimized", "standby");
        assertMoved(back);
    }

    @Test
    void aPathThatDiesWhileFioVerifiesIsNoError() {
        paths.run("work");
        paths.reload("active-optimized", "standby", "ports: [{address: 192.0.2.2, enabled: false}]", "ports: changed");
        Report without = paths.run("failover");
        assertThat(without.number("failed_paths")).as(without.text()).isEqualTo(1);
        assertThat(without.value("far.state")).as("the host asked for it").isEqualTo("active/optimized");
        assertThat(paths.target.log()).contains("Target port group far becomes active-optimized, was standby");

        paths.reload("active-optimized", "standby", "", "ports: changed");
        Report end = paths.run("failback");
        assertThat(end.number("fio_status")).as(end.text()).isEqualTo(FIO_TOLD_TO_END);
        assertThat(end.number("fio_error")).as(end.text()).isZero();
    }

    private static void assertMoved(Report report) {
        assertThat(report.number("moved")).as(report.text()).isPositive();
        assertThat(report.values()).doesNotContainKeys("write_failed", "read_failed");
    }
}
