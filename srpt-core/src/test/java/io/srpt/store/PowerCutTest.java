package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file store acknowledged as durable is there after a power cut, at whatever point it comes. */
class PowerCutTest {
    private static final int SIZE = 64 * 1024;
    private static final int GROWN = 96 * 1024;
    private static final int POINTS = TestProfile.count(200, 5000);
    private static final int ROUNDS = 30;

    private final StoreThreads threads = new StoreThreads("power-cut", 4, 60);
    private final PowerCutLog log = new PowerCutLog();
    private final PowerCutWorkload workload = new PowerCutWorkload(log);

    @TempDir
    private Path folder;

    @AfterEach
    void endThreads() {
        threads.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void losesNothingThatWasAcknowledgedAsDurable(boolean writeCache) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        run(writeCache, store -> workload.run(store, random, ROUNDS, 4));

        for (int i = 0; i < POINTS; i++) {
            int cut = 1 + random.nextInt(log.events());
            PowerCutLog.Disk disk = log.cutAt(cut, GROWN, random);
            assertThat(workload.lost(disk, cut))
                    .as("seed %d, cut %d of %d", seed, cut, log.events())
                    .isNull();
        }
        for (int cut : workload.acknowledgements()) {
            assertThat(workload.lost(log.cutAt(cut, GROWN, null), cut))
                    .as("seed %d, cut %d of %d, nothing lucky", seed, cut, log.events())
                    .isNull();
        }
    }

    /** One change at a time, so that no sync is there twice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wouldLoseSomethingWithoutAnyOneOfTheSyncs(boolean writeCache) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        run(writeCache, store -> workload.runWithoutNeedlessSyncs(store, random, ROUNDS));

        assertThat(log.syncs()).hasSizeGreaterThan(10);
        for (PowerCutLog.Call sync : log.syncs()) {
            log.ignore(sync);
            assertThat(workload.acknowledgements())
                    .as("seed %d, without the sync at %d of %d", seed, sync.began, log.events())
                    .anyMatch(cut -> workload.lost(log.cutAt(cut, GROWN, null), cut) != null);
            log.heedAll();
        }
    }

    private interface Work {
        void on(BlockStore store) throws InterruptedException;
    }

    /** Works, grows the disk, and works on. */
    private void run(boolean writeCache, Work work) throws Exception {
        StoreOptions options = StoreOptions.DEFAULT.withWriteCache(writeCache);
        try (FileStore store = FileStore.open(folder.resolve("disk.img"), SIZE, options, threads, log::recording)) {
            workload.opened(SIZE);
            work.on(store);
            workload.grow(store, GROWN);
            work.on(store);
        }
    }

    @Test
    void findsLossInALogWithoutSyncs() throws Exception {
        run(true, store -> workload.run(store, new Random(1), ROUNDS, 2));
        log.syncs().forEach(log::ignore);
        int end = log.events();
        assertThat(workload.lost(log.cutAt(end, GROWN, null), end)).isNotNull();
    }
}
