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
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

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
 * all that nobody flushed: it takes its kernel seconds to begin by itself. Each round proves that with a file that it does
 * not flush, and the soak profile with a file system that ignores every flush. So a flush of the target that does not reach
 * {@code fdatasync} is found; one that gets lost between the guest's kernel and the host's disk is not.
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
    private static final int WRITES = 100;
    /** With one, chance could make it the last of a round, with little before it. */
    private static final int FLUSHES = 2;

    private static final long DISK_BYTES = 256L << 20;

    /** How the target's files are kept on the guest's disk: the word for {@code disk.sh}. */
    private enum Keeping {
        SYNCED,
        UNSYNCED
    }

    @Test
    void whatWasFlushedSurvives(GuestLab lab) throws Exception {
        Path disk = emptyDisk(lab);
        try (Writer writer = Writer.start(lab.tool())) {
            for (int round = 0; round < ROUNDS; round++) {
                writeAndCut(lab, disk, Keeping.SYNCED, writer, round);
            }
            try (GuestMachine machine = boot(lab, disk, Keeping.SYNCED)) {
                writer.await("checked", ROUNDS + 1, 0, 0);

                assertThat(writer.log()).doesNotContain("wrong").containsPattern("(?m)^checked [1-9]");
                machine.run(STEP_LIMIT, "! grep -l . /disk/not-flushed-* || die 'it was no power cut'");
            }
        }
    }

    /** That the test above can fail: a target that says of a flush that it is done, and did nothing. */
    @Test
    @EnabledIfSystemProperty(named = "srpt.test.profile", matches = "soak")
    void aFlushThatDoesNotReachTheDiskIsFound(GuestLab lab) throws Exception {
        Path disk = emptyDisk(lab);
        try (Writer writer = Writer.start(lab.tool())) {
            writeAndCut(lab, disk, Keeping.UNSYNCED, writer, 0);
            try (GuestMachine machine = boot(lab, disk, Keeping.UNSYNCED)) {
                machine.run(STEP_LIMIT, "grep -q '/disk/served .*volatile' /proc/mounts");
                assertThat(Await.until(READY_LIMIT, () -> !writer.process().isAlive()))
                        .as("not found:%n%s", writer.log())
                        .isTrue();

                assertThat(writer.log()).containsPattern("(?m)^wrong: block \\d+ holds change 0, not one of");
            }
        }
    }

    private static Path emptyDisk(GuestLab lab) throws IOException {
        lab.jvm(); // takes a while to be made, and no guest has to wait for it meanwhile
        Path disk = lab.tool().directory().resolve("power-cut.img");
        Files.deleteIfExists(disk);
        try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(DISK_BYTES);
        }
        return disk;
    }

    private static void writeAndCut(GuestLab lab, Path disk, Keeping keeping, Writer writer, int round) {
        long began = System.nanoTime();
        GuestMachine machine = boot(lab, disk, keeping);
        Writer.Progress before = writer.progress();
        writer.await("checked", round + 1, 0, 0);
        writer.await("writing", round + 1, before.writes() + WRITES, before.flushes() + FLUSHES);
        machine.run(STEP_LIMIT, "echo lost >/disk/not-flushed-" + round);
        machine.cutPower();
        GuestExtension.print(
                "power cut after %.1f s, from boot on: %s", (System.nanoTime() - began) / 1e9, writer.progress());
    }

    /** A guest with a target that has its files on {@code disk}. */
    private static GuestMachine boot(GuestLab lab, Path disk, Keeping keeping) {
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
        String serve = lab.jvm()
                .srpt("serve --listen " + TARGET + " --http none --state-dir /disk/served/state"
                        + " --lun file:/disk/served/lun.img:" + BLOCKS / 2 + "KiB");
        machine.run(
                STEP_LIMIT,
                "bash /guest/disk.sh " + keeping.name().toLowerCase(Locale.ROOT)
                        + " && bash /guest/service.sh start srpt " + serve);
        return machine;
    }

    /** {@link CrashWriter} on the host side of the wire. */
    private record Writer(Process process, Path output) implements AutoCloseable {
        private static final Pattern PROGRESS = Pattern.compile("(?m)^acknowledged (\\d+) flushed (\\d+)$");
        private static final Pattern CHECKED = Pattern.compile("(?m)^checked \\d+$");

        /** How often it has checked the disk, and what was acknowledged to it. */
        record Progress(long checks, long writes, long flushes) {}

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

        Progress progress() {
            String log = log();
            long checks = CHECKED.matcher(log).results().count();
            List<MatchResult> reports = PROGRESS.matcher(log).results().toList();
            if (reports.isEmpty()) {
                return new Progress(checks, 0, 0);
            }
            MatchResult last = reports.getLast();
            return new Progress(checks, Long.parseLong(last.group(1)), Long.parseLong(last.group(2)));
        }

        void await(String what, long checks, long writes, long flushes) {
            boolean there = Await.until(READY_LIMIT, () -> {
                Progress now = progress();
                return !process.isAlive()
                        || now.checks() >= checks && now.writes() >= writes && now.flushes() >= flushes;
            });
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
