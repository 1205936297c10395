package io.srpt.scsi;

import static io.srpt.scsi.ReservationBed.PREEMPT;
import static io.srpt.scsi.ReservationBed.PREEMPT_AND_ABORT;
import static io.srpt.scsi.ReservationBed.WE;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.store.MemoryStore;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PREEMPT AND ABORT ends the commands of others, and says GOOD only when none of their writes can come any more. */
class PreemptAndAbortTest {
    private HeldStore store;
    private ReservationBed disk;

    @BeforeEach
    void makeDisk() throws Exception {
        store = new HeldStore(MemoryStore.open(64 << 10), true);
        disk = new ReservationBed(store, null).reserved(WE);
    }

    @AfterEach
    void closeDisk() {
        disk.close();
    }

    private ScsiTask start(Nexus by, String cdb, byte[] out, int in) {
        ScsiTask task = prepare(by, cdb, out.length, in);
        ScsiTestBed.supply(task, out);
        disk.bed.server.execute(task);
        return task;
    }

    private ScsiTask prepare(Nexus by, String cdb, int out, int in) {
        ScsiTask task = new ScsiTask(disk.bed);
        disk.bed.prepare(task, by, 0, HexFormat.of().parseHex(cdb.replace(" ", "")), out, in);
        return task;
    }

    private ScsiTask preempt(int action) {
        return start(disk.b, ReservationBed.cdb(action, WE, 24), ReservationBed.list(2, 1, 0), 0);
    }

    @Test
    void endsWhatIsUnderWayAndWaitsForLateWrites() throws Exception {
        ScsiTask waitsForData = prepare(disk.a, ReservationBed.WRITE, 512, 0);
        ScsiTask reads = start(disk.a, ReservationBed.READ, new byte[0], 512);
        ScsiTask writes = start(disk.a, ReservationBed.WRITE, new byte[512], 0);
        ScsiTask stays = start(disk.c, ReservationBed.READ, new byte[0], 512);
        ScsiTask preempts = preempt(PREEMPT_AND_ABORT);
        assertThat(disk.bed.done).contains(waitsForData, reads, writes).doesNotContain(stays, preempts);
        assertThat(writes.status()).isEqualTo(ScsiStatus.TASK_ABORTED);
        assertThat(disk.holder()).isEqualTo(disk.b.id());
        store.endOne();
        disk.bed.drain();
        assertThat(disk.bed.done).doesNotContain(preempts);
        store.endOne();
        disk.bed.drain();
        assertThat(disk.bed.done).endsWith(preempts);
        assertThat(preempts.status()).isEqualTo(ScsiStatus.GOOD);
        disk.bed.server.execute(waitsForData);
        assertThat(store.calls).containsExactly("read", "write", "read");
        assertThat(disk.attention(disk.a)).isEqualTo("6/2A/05");
        assertThat(disk.write(disk.a)).isEqualTo("RESERVATION_CONFLICT");
        store.endOne();
        disk.bed.drain();
        assertThat(stays.status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void preemptLeavesWhatIsUnderWay() throws Exception {
        ScsiTask writes = start(disk.a, ReservationBed.WRITE, new byte[512], 0);
        ScsiTask preempts = preempt(PREEMPT);
        assertThat(disk.bed.done).endsWith(preempts).doesNotContain(writes);
        store.endOne();
        disk.bed.drain();
        assertThat(writes.status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void tellsByUnitAttentionWhereStatusIsSwitchedOff() throws Exception {
        disk.unit.mode().taskAborted(false);
        ScsiTask waits = prepare(disk.a, ReservationBed.WRITE, 512, 0);
        ScsiTask preempts = preempt(PREEMPT_AND_ABORT);
        assertThat(disk.bed.done).endsWith(preempts).doesNotContain(waits);
        assertThat(disk.bed.aborted).containsExactly(waits);
        assertThat(disk.attention(disk.a)).isEqualTo("6/2F/00");
        assertThat(disk.attention(disk.a)).isEqualTo("6/2A/05");
    }

    @Test
    void canBeEndedWhileItWaits() throws Exception {
        start(disk.a, ReservationBed.WRITE, new byte[512], 0);
        ScsiTask preempts = preempt(PREEMPT_AND_ABORT);
        assertThat(disk.bed.server.abort(preempts)).isFalse();
        store.endOne();
        disk.bed.drain();
        assertThat(disk.bed.done).doesNotContain(preempts);
        assertThat(disk.holder()).isEqualTo(disk.b.id());
    }

    @Test
    void aDormantCommandMeetsTheReservationOfItsTurn() throws Exception {
        ScsiTask writes = start(disk.a, ReservationBed.WRITE, new byte[512], 0);
        ScsiTask ordered = new ScsiTask(disk.bed);
        byte[] cdb = HexFormat.of().parseHex(ReservationBed.WRITE.replace(" ", ""));
        ordered.prepare(disk.a, 0, TaskAttribute.ORDERED, ByteBuffer.wrap(cdb), 0, cdb.length, 512, 0);
        assertThat(disk.bed.server.begin(ordered)).isEqualTo(TaskPhase.WAITING);
        ScsiTask preempts = new ScsiTask(disk.bed);
        byte[] out = HexFormat.of().parseHex(ReservationBed.cdb(PREEMPT, WE, 24).replace(" ", ""));
        preempts.prepare(disk.b, 0, TaskAttribute.HEAD_OF_QUEUE, ByteBuffer.wrap(out), 0, out.length, 24, 0);
        disk.bed.server.begin(preempts);
        ScsiTestBed.supply(preempts, ReservationBed.list(2, 1, 0));
        disk.bed.server.execute(preempts);
        assertThat(disk.a.pollAttention(disk.unit)).isEqualTo(UnitAttention.REGISTRATIONS_PREEMPTED);
        store.endOne();
        disk.bed.drain();
        assertThat(writes.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(ordered.status()).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
        assertThat(store.calls).containsExactly("write");
    }
}
