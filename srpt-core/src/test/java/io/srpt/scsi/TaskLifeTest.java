package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.store.StoreStatus;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asynchronous stores, their errors, aborts and task management. */
class TaskLifeTest extends HeldDisk {
    private static final String READ_ONE = "28 00 00 00 00 08 00 00 01 00";
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";

    @Test
    void completesOnTheLoopThatOwnsIt() throws Exception {
        ScsiTask task = start(bed.nexus, READ_ONE);
        assertThat(task.isStoreBusy()).isTrue();
        store.endOne();
        assertThat(bed.done).isEmpty();
        bed.drain();
        assertThat(bed.done).containsExactly(task);
        assertThat(task.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(task.dataInProduced()).isEqualTo(512);
        assertThat(task.isStoreBusy()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "READ_ERROR, CHECK_CONDITION, 3/11/00, 8",
        "WRITE_ERROR, CHECK_CONDITION, 3/0C/00, 8",
        "FLUSH_ERROR, CHECK_CONDITION, 3/0C/00, -1",
        "NO_SPACE, CHECK_CONDITION, 7/27/07, 8",
        "WRITE_PROTECTED, CHECK_CONDITION, 7/27/00, -1",
        "OUT_OF_RANGE, CHECK_CONDITION, 5/21/00, -1",
        "NOT_READY, CHECK_CONDITION, 2/04/00, -1",
        "INTERNAL_ERROR, CHECK_CONDITION, 4/44/00, -1",
        "BUSY, BUSY, '', -1",
    })
    void mapsErrorsOfTheStore(StoreStatus error, ScsiStatus status, String sense, long information) throws Exception {
        ScsiTask task = start(bed.nexus, READ_ONE);
        store.answer = error;
        endOne();
        assertThat(bed.done).containsExactly(task);
        assertThat(task.status()).isEqualTo(status);
        assertThat(task.dataInProduced()).isZero();
        assertThat(task.residualIn()).isEqualTo(512);
        SenseData.Decoded decoded = SenseData.decode(task.sense(), 0, task.senseLength());
        assertThat(decoded == null ? "" : decoded.toString()).isEqualTo(sense);
        assertThat(decoded == null ? -1 : decoded.information()).isEqualTo(information);
    }

    @Test
    void isNotReadyWhileItsMediumIsNotThere() throws Exception {
        assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(store.calls).isEmpty();
        start(bed.nexus, READ_ONE);
        answer(StoreStatus.NOT_READY);
        for (int i = 0; i < 2; i++) {
            ScsiTask gone = start(bed.nexus, TEST_UNIT_READY);
            answer(StoreStatus.NOT_READY);
            assertThat(String.valueOf(SenseData.decode(gone.sense(), 0, gone.senseLength())))
                    .isEqualTo("2/04/00");
        }
        assertThat(bed.in("03 00 00 00 12 00", 18).hex()).startsWith("70 00 02");
        ScsiTask back = start(bed.nexus, TEST_UNIT_READY);
        answer(StoreStatus.OK);
        assertThat(back.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(store.calls).hasSize(4).containsOnly("read");
        assertThat(bed.in("03 00 00 00 12 00", 18).hex()).startsWith("70 00 00");
        assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
    }

    private void answer(StoreStatus status) throws InterruptedException {
        store.answer = status;
        endOne();
    }

    @Test
    void saysTaskSetFullWhenTheNexusHasOtherCommands() throws Exception {
        ScsiTask first = start(bed.nexus, READ_ONE);
        ScsiTask second = start(bed.nexus, READ_ONE);
        store.answer = StoreStatus.BUSY;
        store.endOne();
        endOne();
        assertThat(first.status()).isEqualTo(ScsiStatus.TASK_SET_FULL);
        assertThat(second.status()).isEqualTo(ScsiStatus.BUSY);
        assertThat(counters().busy.get()).isEqualTo(2);
    }

    @Test
    void flushesBeforeAReadWithForcedUnitAccess() throws Exception {
        start(bed.nexus, "28 08 00 00 00 08 00 00 01 00");
        endOne();
        endOne();
        assertThat(store.calls).containsExactly("flush", "read");
        assertThat(bed.done).hasSize(1);
    }

    @Test
    void flushesForSynchronizeCacheAndStop() throws Exception {
        for (String cdb : new String[] {
            "35 00 00 00 00 00 00 00 00 00",
            "35 02 00 00 00 00 00 00 00 00",
            "91 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
            "1b 00 00 00 00 00"
        }) {
            ScsiTask task = start(bed.nexus, cdb);
            assertThat(bed.done).doesNotContain(task);
            endOne();
            assertThat(bed.done).endsWith(task);
        }
        assertThat(store.calls).hasSize(4).containsOnly("flush");
        assertThat(bed.none("1b 00 00 00 01 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(counters().flushes.get()).isEqualTo(3);
    }

    @Test
    void ignoresALateCompletionAfterAnAbort() throws Exception {
        ScsiTask task = start(bed.nexus, READ_ONE);
        assertThat(bed.server.abort(task)).isTrue();
        assertThat(bed.server.abort(task)).isTrue();
        assertThatThrownBy(task::reset).isInstanceOf(IllegalStateException.class);
        store.endOne();
        assertThat(bed.released).isEmpty();
        bed.drain();
        assertThat(bed.released).containsExactly(task);
        assertThat(bed.done).isEmpty();
        task.reset();
        assertThat(counters().aborts.get()).isEqualTo(1);
        assertThat(counters().activeCommands.get()).isZero();
    }

    @Test
    void abortsATaskThatWaitsForData() {
        ScsiTask task = new ScsiTask(bed);
        byte[] cdb = bytes("2a 00 00 00 00 00 00 00 01 00");
        assertThat(bed.prepare(task, bed.nexus, 0, cdb, 512, 0)).isEqualTo(TaskPhase.NEEDS_DATA_OUT);
        assertThat(bed.server.abort(task)).isFalse();
        bed.server.execute(task);
        assertThat(bed.done).isEmpty();
        assertThat(store.calls).isEmpty();
    }

    @Test
    void resetEndsTheTasksOfAllAndTellsEveryNexus() throws Exception {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        bed.run(other, 0, TEST_UNIT_READY, new byte[0], 0);
        ScsiTask own = start(bed.nexus, READ_ONE);
        ScsiTask foreign = start(other, READ_ONE);
        assertThat(bed.server.taskManagement().lunReset(bed.nexus, 0)).isEqualTo(TaskManagement.Result.COMPLETE);
        assertThat(bed.aborted).containsExactly(own);
        assertThat(bed.done).containsExactly(foreign);
        assertThat(foreign.status()).isEqualTo(ScsiStatus.TASK_ABORTED);
        assertThat(foreign.isStoreBusy()).isTrue();
        store.endOne();
        endOne();
        assertThat(bed.released).containsExactly(own, foreign);
        bed.done.clear();
        assertThat(bed.run(other, 0, TEST_UNIT_READY, new byte[0], 0).sense()).isEqualTo("6/29/03");
        assertThat(bed.none(TEST_UNIT_READY).sense()).isEqualTo("6/29/03");
        assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void clearAndAbortTaskSet() throws Exception {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        bed.run(other, 0, TEST_UNIT_READY, new byte[0], 0);
        ScsiTask own = start(bed.nexus, READ_ONE);
        ScsiTask foreign = start(other, READ_ONE);
        TaskManagement management = bed.server.taskManagement();
        assertThat(management.abortTaskSet(bed.nexus, 0)).isEqualTo(TaskManagement.Result.COMPLETE);
        assertThat(bed.aborted).containsExactly(own);
        assertThat(bed.done).isEmpty();
        assertThat(management.clearTaskSet(bed.nexus, 0)).isEqualTo(TaskManagement.Result.COMPLETE);
        assertThat(bed.done).containsExactly(foreign);
        bed.done.clear();
        assertThat(bed.run(other, 0, TEST_UNIT_READY, new byte[0], 0).sense()).isEqualTo("6/2F/00");
        assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(management.lunReset(bed.nexus, Lun.encode(9))).isEqualTo(TaskManagement.Result.INCORRECT_LUN);
    }

    private ScsiTask start(Nexus by, String cdb) {
        ScsiTask task = new ScsiTask(bed);
        assertThat(bed.prepare(task, by, 0, bytes(cdb), 0, 512)).isEqualTo(TaskPhase.READY);
        ScsiTestBed.supply(task, new byte[0]);
        bed.server.execute(task);
        return task;
    }

    private static byte[] bytes(String hex) {
        return HexFormat.ofDelimiter(" ").parseHex(hex);
    }
}
