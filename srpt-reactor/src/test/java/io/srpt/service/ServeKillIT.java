package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.initiator.BlockingSrpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of {@code srpt serve} in the middle of its work, again and again: what was acknowledged is there. Of the
 * process nothing is left but what it has given to the kernel, which goes on. So this finds a status that is sent before the
 * write is done, of the disk or of a registration; and a start that is stopped by what the last one left. It cannot find a
 * missing {@code fdatasync}: that is for {@code PowerCutIT}, and for the unit tests of stores and state files.
 */
class ServeKillIT {
    private static final int ROUNDS = TestProfile.count(5, 20);
    private static final int KILLED = 128 + 9;
    private static final int BLOCKS = 8192;
    private static final int MOST_WRITES = 2000;
    private static final long JOIN_SECONDS = 60;

    private static final String TARGET = TestAddresses.ofThisProcess(11);
    private static final String INITIATOR = TestAddresses.ofThisProcess(12);

    @TempDir
    private Path directory;

    @Test
    void acknowledgedWritesSurvive() throws Exception {
        long seed = Long.getLong("srpt.seed", System.nanoTime());
        System.out.println("ServeKillIT: seed " + seed);
        Random random = new Random(seed);
        CrashLoad load = new CrashLoad(BLOCKS, true, seed);
        int written = 0;
        for (int round = 0; round < ROUNDS; round++) {
            written = checkWriteAndKill(load, round, random.nextInt(MOST_WRITES));
        }
        try (ServeProcess server = serve(ROUNDS);
                TestInitiator initiator = TestInitiator.open(INITIATOR);
                BlockingSrpClient client = initiator.login(TARGET)) {
            assertThat(load.check(client)).isGreaterThanOrEqualTo(written).isPositive();
            assertThat(server.isAlive()).isTrue();
        }
    }

    private int checkWriteAndKill(CrashLoad load, int round, int writes) throws Exception {
        try (ServeProcess server = serve(round);
                TestInitiator initiator = TestInitiator.open(INITIATOR)) {
            // Not closed: there will be nobody to log out from.
            BlockingSrpClient client = initiator.login(TARGET);
            int written = load.check(client);
            long goal = load.acknowledged() + writes;
            Thread writer = Thread.ofPlatform().name("writer").start(() -> load.runUntilCrash(client));
            server.await("writing", () -> load.acknowledged() >= goal);
            server.signal("KILL");
            assertThat(server.exitCode()).isEqualTo(KILLED);
            writer.interrupt();
            assertThat(writer.join(Duration.ofSeconds(JOIN_SECONDS))).isTrue();
            return written;
        }
    }

    private ServeProcess serve(int round) throws Exception {
        ServeProcess server = ServeProcess.srpt(
                directory,
                "round" + round,
                List.of(
                        "serve",
                        "--listen",
                        TARGET,
                        "--http",
                        "none",
                        "--state-dir",
                        directory.resolve("state").toString(),
                        "--lun",
                        "file:" + directory.resolve("disk.img") + ":" + BLOCKS / 2 + "KiB"));
        server.await("ready", () -> server.out().contains("dest=" + TARGET));
        return server;
    }
}
