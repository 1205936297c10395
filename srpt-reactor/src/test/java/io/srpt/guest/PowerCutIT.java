package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.service.CrashWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A real power cut: the target runs in a guest, with its files on a file system of the guest's own disk, and QEMU is killed
 * while the initiator works. What the initiator has flushed is there after the next boot, and the registration that was
 * acknowledged last.
 *
 * <pre>
 *   target ──▶ page cache of the guest ──fdatasync, or later──▶ virtio disk: power-cut.img in the page cache of the host
 *              lost when QEMU is killed                         stays
 * </pre>
 *
 * <p>The host goes on, and so what has left the guest is safe: {@code cache=writeback}, which passes the guest's flushes on
 * to the host's disk, loses nothing more than a disk would. What the guest has not written out yet is lost, which is about
 * all that nobody flushed: it takes its kernel seconds to begin by itself. A flush of the target that does not reach
 * {@code fdatasync} is so found; one that gets lost between the guest's kernel and the host's disk is not.
 */
@GuestTest
class PowerCutIT {
    private static final int ROUNDS = TestProfile.count(1, 3);
    private static final Duration STEP_LIMIT = Duration.ofSeconds(60);
    private static final Duration READY_LIMIT = Duration.ofSeconds(180);
    private static final int NUMBER = 22;
    private static final String TARGET = "192.0.2." + NUMBER;
    private static final String INITIATOR = "192.0.2.3";
    private static final int BLOCKS = 8192;
    private static final int WRITES = 200;
    private static final long DISK_BYTES = 256L << 20;

    @Test
    void whatWasFlushedSurvives(GuestLab lab) throws Exception {
        Path disk = lab.tool().directory().resolve("power-cut.img");
        Files.deleteIfExists(disk);
        try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(DISK_BYTES);
        }
        GuestJava jvm = GuestJava.prepare(lab.tool());
        try (Writer writer = Writer.start(lab.tool())) {
            for (int round = 0; round < ROUNDS; round++) {
                GuestMachine machine = boot(lab, jvm, disk, round == 0);
                long before = writer.acknowledged();
                writer.await("checked", round + 1, 0);
                writer.await("writing", round + 1, before + WRITES);
                machine.cutPower();
            }
            try (GuestMachine machine = boot(lab, jvm, disk, false)) {
                writer.await("checked", ROUNDS + 1, 0);
                assertThat(writer.log()).doesNotContain("wrong").containsPattern("(?m)^checked [1-9]");
                assertThat(machine).isNotNull();
            }
        }
    }

    /** A guest whose disk {@code /disk} has the file that the target in it serves. */
    private static GuestMachine boot(GuestLab lab, GuestJava jvm, Path disk, boolean first) {
        GuestMachine machine = GuestMachine.boot(
                lab.tool(),
                "power-cut",
                NUMBER,
                // that of the host's side of the wire: a login with a larger one than the target's is refused
                "--mtu",
                "9000",
                "--memory",
                "1024",
                "--cpus",
                "2",
                "--disk",
                disk.toString());
        String serve = jvm.srpt("serve --listen " + TARGET
                + " --http none --state-dir /disk/state --lun file:/disk/lun.img:" + BLOCKS / 2 + "KiB");
        machine.run(
                STEP_LIMIT,
                "modprobe virtio_blk; wait_for 5 test -b /dev/vda || die 'no disk'; "
                        + (first ? "mkfs.ext4 -q /dev/vda; " : "")
                        + "mkdir -p /disk; mount /dev/vda /disk && bash /guest/service.sh start srpt " + serve);
        return machine;
    }

    /** {@link CrashWriter} on the host side of the wire. */
    private record Writer(Process process, Path output) implements AutoCloseable {
        static Writer start(GuestTool tool) throws IOException {
            Path output = tool.directory().resolve("power-cut.out");
            Path classes = Path.of(CrashWriter.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath());
            long seed = Long.getLong("srpt.seed", System.nanoTime());
            GuestExtension.print("PowerCutIT: seed %d", seed);
            List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", tool.network()));
            command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-ea", "-cp"));
            command.add(GuestJava.JAR + ":" + classes);
            command.addAll(List.of(
                    CrashWriter.class.getName(), INITIATOR, TARGET, Integer.toString(BLOCKS), Long.toString(seed)));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            return new Writer(builder.start(), output);
        }

        String log() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        long acknowledged() {
            return log().lines()
                    .filter(line -> line.startsWith("acknowledged "))
                    .mapToLong(line -> Long.parseLong(line.substring("acknowledged ".length())))
                    .max()
                    .orElse(0);
        }

        void await(String what, int checks, long writes) {
            boolean there = Await.until(
                    READY_LIMIT,
                    () -> !process.isAlive()
                            || acknowledged() >= writes
                                    && log().lines()
                                                    .filter(line -> line.startsWith("checked "))
                                                    .count()
                                            >= checks);
            assertThat(there && process.isAlive())
                    .as("not %s:%n%s", what, log())
                    .isTrue();
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }
}
