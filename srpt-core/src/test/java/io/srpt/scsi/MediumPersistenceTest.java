package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreException;
import io.srpt.store.StoreStatus;
import io.srpt.store.StoreThreads;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SANITIZE and FORMAT UNIT over restarts: what was to be gone is not given out. */
class MediumPersistenceTest {
    private static final String READ = "28 00 00 00 00 00 00 00 01 00";
    private static final String OVERWRITE = "48 01 00 00 00 00 00 00 05 00";
    private static final String EXIT = "48 1f 00 00 00 00 00 00 00 00";
    private static final String FORMAT = "04 00 00 00 00 00";
    private static final LogicalUnitConfig CONFIG = LogicalUnitConfig.defaults(ScsiTestBed.SERIAL);

    @TempDir
    private Path folder;

    private final StoreThreads threads = new StoreThreads("test-medium", 1, 4);
    private MemoryStore medium;

    @BeforeEach
    void makeDisk() throws Exception {
        medium = MemoryStore.open(1 << 20);
    }

    @AfterEach
    void closeDisk() {
        medium.close();
        threads.close();
    }

    /** What is kept, and how often it was changed; answers come on the caller's thread, as the test wants them. */
    private static final class Kept implements MediumStateStore {
        private final List<String> states = new ArrayList<>();
        private StoreStatus answer = StoreStatus.OK;

        @Override
        public @Nullable MediumState kept() {
            return null;
        }

        @Override
        public void keep(@Nullable MediumState state, StoreCompletion done) {
            states.add(String.valueOf(state));
            done.onStoreDone(answer, 0);
        }
    }

    /** A file whose changes are through when they have been asked for. */
    private record Waiting(MediumStateFile file) implements MediumStateStore {
        @Override
        public @Nullable MediumState kept() {
            return file.kept();
        }

        @Override
        public void keep(@Nullable MediumState state, StoreCompletion done) {
            CompletableFuture<StoreStatus> kept = new CompletableFuture<>();
            file.keep(state, (status, offset) -> kept.complete(status));
            done.onStoreDone(kept.join(), 0);
        }
    }

    private ScsiTestBed restarted() throws StoreException {
        return bed(new HeldStore(medium, true), new Waiting(MediumStateFile.open(folder, CONFIG, threads)));
    }

    private static ScsiTestBed bed(HeldStore store, MediumStateStore kept) {
        ScsiTestBed bed = new ScsiTestBed();
        LogicalUnit unit = new LogicalUnit(CONFIG, store, null, kept);
        bed.server.addLogicalUnit(0, unit);
        bed.nexus.forget(unit);
        return bed;
    }

    private static HeldStore store(ScsiTestBed bed) {
        return (HeldStore) Objects.requireNonNull(bed.server.logicalUnit(0)).store();
    }

    private ScsiTask begin(ScsiTestBed bed, String cdb) {
        byte[] parameters = cdb.endsWith(" 05 00") ? new byte[] {1, 0, 0, 1, 0} : new byte[0]; // one pass of zeros
        ScsiTask task = bed.start(bed.nexus, TaskAttribute.SIMPLE, cdb, parameters, 0);
        bed.drain();
        return task;
    }

    private void finish(ScsiTestBed bed) throws InterruptedException {
        for (HeldStore store = store(bed); !store.held.isEmpty(); ) {
            store.endOne();
            bed.drain();
        }
    }

    private static String sense(ScsiTask task) {
        return String.valueOf(SenseData.decode(task.sense(), 0, task.senseLength()));
    }

    @ParameterizedTest
    @CsvSource({
        "48 81 00 00 00 00 00 00 05 00, 2/04/1B, 3/31/03, 5/24/00", // SANITIZE with IMMED
        "48 a1 00 00 00 00 00 00 05 00, 2/04/1B, 3/31/03, ''", // and AUSE
        "48 01 00 00 00 00 00 00 05 00, 2/04/1B, 3/31/03, 5/24/00",
        "04 00 00 00 00 00, 2/04/04, 3/31/01, 5/24/00",
    })
    void whatARestartHasInterruptedHasFailed(String cdb, String busy, String failed, String exit) throws Exception {
        ScsiTestBed bed = restarted();
        begin(bed, cdb);
        assertThat(bed.in(READ, 512).sense()).isEqualTo(busy);

        bed = restarted();
        assertThat(bed.in(READ, 512).sense()).isEqualTo(failed);
        assertThat(bed.none("00 00 00 00 00 00").sense()).isEqualTo(failed);
        assertThat(bed.in("12 00 00 00 24 00", 36).status()).isEqualTo(ScsiStatus.GOOD);
        ScsiTask exited = begin(bed, EXIT);
        if (exit.isEmpty()) {
            assertThat(exited.status()).isEqualTo(ScsiStatus.GOOD);
        } else {
            assertThat(sense(exited)).isEqualTo(exit);
            ScsiTask again = begin(bed, OVERWRITE);
            finish(bed);
            assertThat(again.status()).isEqualTo(ScsiStatus.GOOD);
        }
        bed = restarted();
        assertThat(bed.none("00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatHasFailedStaysSoOverARestart() throws Exception {
        ScsiTestBed bed = restarted();
        ScsiTask task = begin(bed, OVERWRITE);
        store(bed).answer = StoreStatus.WRITE_ERROR;
        finish(bed);
        assertThat(sense(task)).isEqualTo("3/31/03");
        assertThat(begin(restarted(), READ).status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(restarted().none(FORMAT).sense()).isEqualTo("3/31/03");
    }

    @Test
    void nothingIsTouchedThatCannotBeRemembered() throws Exception {
        Kept kept = new Kept();
        HeldStore store = new HeldStore(medium, true);
        ScsiTestBed bed = bed(store, kept);
        kept.answer = StoreStatus.INTERNAL_ERROR;
        assertThat(sense(begin(bed, OVERWRITE))).isEqualTo("4/44/00");
        assertThat(store.calls).isEmpty();
        assertThat(bed.none("00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);

        kept.answer = StoreStatus.OK;
        begin(bed, "48 21 00 00 00 00 00 00 05 00");
        store.answer = StoreStatus.WRITE_ERROR;
        finish(bed);
        kept.answer = StoreStatus.INTERNAL_ERROR;
        assertThat(begin(bed, EXIT).status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(bed.none("00 00 00 00 00 00").sense()).isEqualTo("3/31/03");
        kept.answer = StoreStatus.OK;
        assertThat(begin(bed, EXIT).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(kept.states)
                .hasSize(4)
                .startsWith("MediumState[kind=SANITIZE, mayExit=false]")
                .endsWith("null");
    }

    @Test
    void aDamagedFileStopsTheStart() throws Exception {
        begin(restarted(), OVERWRITE);
        Path file = folder.resolve("naa." + HexFormat.of().formatHex(CONFIG.naaIdentifier()));
        assertThat(file).hasContent("srpt-medium 1 sanitize ause=0\n");
        Files.writeString(file, "srpt-medium 1 sanit");
        assertThatThrownBy(this::restarted).isInstanceOf(StoreException.class).hasMessageContaining(file.toString());
    }

    @Test
    void aResetEndsTheCommandAndNotWhatItHasBegun() throws Exception {
        ScsiTestBed bed = restarted();
        medium.write(0, new ByteBuffer[] {ByteBuffer.allocate(512).put(0, (byte) 1)}, 1, true, (status, at) -> {});
        ScsiTask task = begin(bed, OVERWRITE);
        bed.server.taskManagement().lunReset(bed.nexus, 0);
        bed.drain();
        assertThat(bed.aborted).containsExactly(task);
        bed.nexus.forget(Objects.requireNonNull(bed.server.logicalUnit(0)));
        assertThat(bed.in(READ, 512).sense()).isEqualTo("2/04/1B");
        finish(bed);
        assertThat(bed.none("00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        ByteBuffer first = ByteBuffer.allocate(512).put(0, (byte) 1);
        medium.read(0, new ByteBuffer[] {first}, 1, (status, at) -> {});
        assertThat(first.get(0)).isZero();
    }
}
