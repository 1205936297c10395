package io.srpt.scsi;

import static io.srpt.scsi.ReservationBed.APTPL;
import static io.srpt.scsi.ReservationBed.CLEAR;
import static io.srpt.scsi.ReservationBed.EA;
import static io.srpt.scsi.ReservationBed.PREEMPT;
import static io.srpt.scsi.ReservationBed.REGISTER;
import static io.srpt.scsi.ReservationBed.REGISTER_AND_IGNORE;
import static io.srpt.scsi.ReservationBed.RESERVE;
import static io.srpt.scsi.ReservationBed.WE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.store.MemoryStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreException;
import io.srpt.store.StoreStatus;
import io.srpt.store.StoreThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** APTPL: registrations and reservations over restarts, and while they are being kept. */
class ReservationPersistenceTest {
    private static final String GOOD = "GOOD";
    private static final String CONFLICT = "RESERVATION_CONFLICT";

    /** Keeps in the file, and answers before it returns, which the hand-driven loop of the bed wants. */
    private record Waiting(ReservationStore behind) implements ReservationStore {
        static Waiting in(Path folder, StoreThreads threads) throws StoreException {
            return new Waiting(ReservationFile.open(folder, LogicalUnitConfig.defaults(ScsiTestBed.SERIAL), threads));
        }

        @Override
        public ReservationState kept() {
            return behind.kept();
        }

        @Override
        public void keep(ReservationState state, StoreCompletion done) {
            CompletableFuture<StoreStatus> status = new CompletableFuture<>();
            behind.keep(state, (result, offset) -> status.complete(result));
            done.onStoreDone(status.join(), 0);
        }
    }

    /** Keeps when the test says so. */
    private static final class Held implements ReservationStore {
        final Queue<StoreCompletion> asked = new ArrayDeque<>();
        final List<ReservationState> states = new ArrayList<>();

        @Override
        public ReservationState kept() {
            return ReservationState.NONE;
        }

        @Override
        public void keep(ReservationState state, StoreCompletion done) {
            states.add(state);
            asked.add(done);
        }
    }

    @Test
    void whatIsInAnotherFolderIsOfNoConcern(@TempDir Path folder) throws Exception {
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            try (ReservationBed disk = open(folder.resolve("one"), threads)) {
                disk.out(disk.a, REGISTER, 0, 0, 1, APTPL);
            }
            try (ReservationBed disk = open(folder.resolve("other"), threads)) {
                assertThat(disk.keys()).isEmpty();
            }
        }
    }

    private static ReservationBed open(Path folder, StoreThreads threads) throws StoreException {
        return new ReservationBed(MemoryStore.open(64 << 10), Waiting.in(folder, threads));
    }

    @Test
    void survivesARestartIfThatWasAskedFor(@TempDir Path folder) throws Exception {
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            try (ReservationBed disk = open(folder, threads)) {
                assertThat(disk.in(2)[2] & 1).isEqualTo(1);
                assertThat(disk.in(2)[3] & 1).isZero();
                assertThat(disk.out(disk.a, REGISTER, 0, 0, 1, APTPL)).isEqualTo(GOOD);
                assertThat(disk.out(disk.b, REGISTER, 0, 0, 2, APTPL)).isEqualTo(GOOD);
                assertThat(disk.out(disk.a, RESERVE, WE, 1, 0)).isEqualTo(GOOD);
                assertThat(disk.in(2)[3] & 1).isEqualTo(1);
            }
            try (ReservationBed disk = open(folder, threads)) {
                assertThat(disk.keys()).containsExactly(1L, 2L);
                assertThat(disk.reservation()).isEqualTo("1:1");
                assertThat(disk.generation()).isZero();
                assertThat(disk.in(2)[3] & 1).isEqualTo(1);
                assertThat(disk.write(disk.a)).isEqualTo(GOOD);
                assertThat(disk.write(disk.b)).isEqualTo(CONFLICT);
                assertThat(disk.out(disk.b, PREEMPT, EA, 2, 1)).isEqualTo(GOOD);
            }
            try (ReservationBed disk = open(folder, threads)) {
                assertThat(disk.keys()).containsExactly(2L);
                assertThat(disk.reservation()).isEqualTo("2:3");
                assertThat(disk.out(disk.b, CLEAR, 0, 2, 0)).isEqualTo(GOOD);
            }
            try (ReservationBed disk = open(folder, threads)) {
                assertThat(disk.keys()).isEmpty();
            }
        }
    }

    @Test
    void theLastRegistrationSaysWhetherAllSurvives(@TempDir Path folder) throws Exception {
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            try (ReservationBed disk = open(folder, threads)) {
                disk.out(disk.a, REGISTER, 0, 0, 1, APTPL);
                disk.out(disk.b, REGISTER_AND_IGNORE, 0, 0, 2);
                assertThat(disk.in(2)[3] & 1).isZero();
                try (var files = Files.list(folder)) {
                    assertThat(files).isEmpty();
                }
            }
            try (ReservationBed disk = open(folder, threads)) {
                assertThat(disk.keys()).isEmpty();
            }
        }
    }

    @Test
    void doesNotStartWithReservationsThatItCannotRead(@TempDir Path folder) throws Exception {
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            try (ReservationBed disk = open(folder, threads)) {
                disk.out(disk.a, REGISTER, 0, 0, 1, APTPL);
            }
            try (var files = Files.list(folder)) {
                Path file = files.findFirst().orElseThrow();
                Files.writeString(file, Files.readString(file).replace("registration", "registratiom"));
            }
            assertThatThrownBy(() -> open(folder, threads))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("damaged");
        }
    }

    private static ScsiTask start(ReservationBed disk, Nexus by, int action, int type, long key, long newKey) {
        ScsiTask task = new ScsiTask(disk.bed);
        byte[] cdb =
                HexFormat.of().parseHex(ReservationBed.cdb(action, type, 24).replace(" ", ""));
        disk.bed.prepare(task, by, 0, cdb, 24, 0);
        ScsiTestBed.supply(task, ReservationBed.list(key, newKey, action == REGISTER ? APTPL : 0));
        disk.bed.server.execute(task);
        return task;
    }

    @Test
    void nothingChangesBeforeItIsKept() throws Exception {
        Held held = new Held();
        try (ReservationBed disk = new ReservationBed(MemoryStore.open(64 << 10), held)) {
            ScsiTask register = start(disk, disk.a, REGISTER, 0, 0, 1);
            ScsiTask reserve = start(disk, disk.a, RESERVE, WE, 1, 0);
            ScsiTask other = start(disk, disk.b, REGISTER, 0, 0, 2);
            assertThat(disk.bed.done).isEmpty();
            assertThat(disk.state().keys()).isEmpty();
            held.asked.remove().onStoreDone(StoreStatus.OK, 0);
            disk.bed.drain();
            assertThat(disk.bed.done).containsExactly(register);
            assertThat(disk.state().type()).isNull();
            held.asked.remove().onStoreDone(StoreStatus.OK, 0);
            disk.bed.drain();
            held.asked.remove().onStoreDone(StoreStatus.OK, 0);
            disk.bed.drain();
            assertThat(disk.bed.done).containsExactly(register, reserve, other);
            assertThat(held.states).hasSize(3);
            assertThat(held.states.getLast()).isEqualTo(disk.state());
        }
    }

    @Test
    void whatCannotBeKeptIsNotTheCase() throws Exception {
        Held held = new Held();
        try (ReservationBed disk = new ReservationBed(MemoryStore.open(64 << 10), held)) {
            ScsiTask register = start(disk, disk.a, REGISTER, 0, 0, 1);
            held.asked.remove().onStoreDone(StoreStatus.INTERNAL_ERROR, 0);
            disk.bed.drain();
            assertThat(register.status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
            assertThat(String.valueOf(SenseData.decode(register.sense(), 0, register.senseLength())))
                    .isEqualTo("4/44/00");
            assertThat(disk.keys()).isEmpty();
            ScsiTask again = start(disk, disk.a, REGISTER, 0, 0, 1);
            held.asked.remove().onStoreDone(StoreStatus.OK, 0);
            disk.bed.drain();
            assertThat(again.status()).isEqualTo(ScsiStatus.GOOD);
        }
    }

    @Test
    void aTaskThatIsAbortedWhileItIsKeptChangesWhatIsKept() throws Exception {
        Held held = new Held();
        try (ReservationBed disk = new ReservationBed(MemoryStore.open(64 << 10), held)) {
            ScsiTask register = start(disk, disk.a, REGISTER, 0, 0, 1);
            ScsiTask waiting = start(disk, disk.b, REGISTER, 0, 0, 2);
            assertThat(disk.bed.server.abort(waiting)).isFalse();
            assertThat(disk.bed.server.abort(register)).isTrue();
            held.asked.remove().onStoreDone(StoreStatus.OK, 0);
            disk.bed.drain();
            assertThat(disk.bed.released).containsExactly(register);
            assertThat(disk.bed.done).isEmpty();
            assertThat(disk.keys()).containsExactly(1L);
            assertThat(held.asked).isEmpty();
        }
    }
}
