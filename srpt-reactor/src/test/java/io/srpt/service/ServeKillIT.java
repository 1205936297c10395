package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of {@code srpt serve} in the middle of writes, again and again: what was acknowledged is there. */
class ServeKillIT {
    private static final int ROUNDS = "soak".equals(System.getProperty("srpt.test.profile")) ? 20 : 5;
    private static final int KILLED = 128 + 9;
    private static final int BLOCKS = 8192;
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
        SelfCheckingDisk disk = new SelfCheckingDisk(BLOCKS, true, seed);
        int written = 0;
        for (int round = 0; round < ROUNDS; round++) {
            written = checkWriteAndKill(disk, round, 20 + random.nextInt(200));
        }
        try (ServeProcess server = serve(ROUNDS);
                TestInitiator initiator = TestInitiator.open(INITIATOR);
                BlockingSrpClient client = initiator.login(TARGET)) {
            assertThat(disk.check(client)).isGreaterThanOrEqualTo(written).isPositive();
            assertThat(server.isAlive()).isTrue();
        }
    }

    private int checkWriteAndKill(SelfCheckingDisk disk, int round, int writes) throws Exception {
        try (ServeProcess server = serve(round);
                TestInitiator initiator = TestInitiator.open(INITIATOR)) {
            // Not closed: there will be nobody to log out from.
            BlockingSrpClient client = initiator.login(TARGET);
            int written = disk.check(client);
            long goal = disk.acknowledged() + writes;
            Thread writer = Thread.ofPlatform().name("writer").start(() -> disk.writeUntilCrash(client));
            server.await("writing", () -> disk.acknowledged() >= goal);
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
