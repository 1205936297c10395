package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One disk through two ports of a target: the kernel's ALUA handler reads the states, and dm-multipath lives with a path less. */
@GuestTest
class KernelMultipathIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int NUMBER = 2;
    private static final String FAR = "198.51.100.2";
    private static final int WORK_SECONDS = 8;

    private static void write(Path file, String more) throws IOException {
        Files.writeString(file, """
                acls: any
                lun: "memory:64MiB"
                alua:
                  groups:
                  - {id: 1, name: near, preferred: true, ports: [192.0.2.2, "fd5a:1::2"]}
                  - {id: 2, name: far, state: standby, ports: [%s]}
                """.formatted(FAR) + more);
    }

    @Test
    void aPathThatDiesWhileFioVerifiesIsNoError(GuestLab lab) throws IOException {
        Path configuration = lab.tool().directory().resolve("multipath.yaml");
        write(configuration, "");
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
        try (TargetProcess target =
                lab.startFileTarget(NUMBER, "--config", configuration.toString(), "--listen", FAR)) {
            Report paths = lab.initiator()
                    .run(
                            LIMIT,
                            "multipath.sh",
                            "setup",
                            target.line(AddressFamily.IPV4).text(),
                            target.lines().getLast().text());
            assertThat(paths.value("near.state")).isEqualTo("active/optimized");
            assertThat(paths.number("near.preferred")).isEqualTo(1);
            assertThat(paths.value("far.state")).isEqualTo("standby");
            assertThat(paths.number("far.preferred")).isZero();
            assertThat(paths.value("same_disk")).isEqualTo("yes");
            assertThat(paths.number("groups")).isEqualTo(2);

            lab.initiator().run(LIMIT, "multipath.sh", "work", Integer.toString(WORK_SECONDS));
            write(configuration, "ports: [{address: 192.0.2.2, enabled: false}]\n");
            target.reload();
            Report end = lab.initiator().run(LIMIT, "multipath.sh", "finish");

            assertThat(end.number("fio_status")).as(end.text()).isZero();
            assertThat(end.number("failed_paths")).as(end.text()).isEqualTo(1);
            assertThat(end.value("far.state")).as("the host asked for it").isEqualTo("active/optimized");
            assertThat(target.log())
                    .contains("Target port group far becomes active-optimized")
                    .contains("ports: changed");
        }
    }
}
