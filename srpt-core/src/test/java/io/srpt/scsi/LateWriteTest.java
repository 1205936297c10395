package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes that were ended while the store worked on them, and what comes after them (pitfalls 81, 82). */
class LateWriteTest extends HeldDisk {
    private Nexus other;

    @BeforeEach
    void openAnotherNexus() {
        other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        bed.run(other, 0, "00 00 00 00 00 00", new byte[0], 0);
    }

    private ScsiTask write(Nexus by, int lba, int blocks, int value) {
        byte[] data = new byte[blocks * 512];
        Arrays.fill(data, (byte) value);
        ScsiTask task = new ScsiTask(bed);
        bed.prepare(task, by, 0, cdb("2a 00 %08x 00 %04x 00", lba, blocks), data.length, 0);
        ScsiTestBed.supply(task, data);
        bed.server.execute(task);
        return task;
    }

    private ScsiTask read(Nexus by, int lba) {
        ScsiTask task = new ScsiTask(bed);
        bed.prepare(task, by, 0, cdb("28 00 %08x 00 %04x 00", lba, 1), 0, 512);
        ScsiTestBed.supply(task, new byte[0]);
        bed.server.execute(task);
        return task;
    }

    private static byte[] cdb(String format, Object... fields) {
        return HexFormat.of().parseHex(String.format(format, fields).replace(" ", ""));
    }

    private void end(int operations) throws InterruptedException {
        for (int i = 0; i < operations; i++) {
            store.endOne();
        }
        bed.drain();
    }

    @Test
    void aLateWriteIsNotOvertakenByWhatTouchesItsBlocks() throws Exception {
        ScsiTask late = write(bed.nexus, 8, 4, 1);
        bed.server.abort(late);
        ScsiTask same = write(other, 11, 1, 2);
        ScsiTask reader = read(bed.nexus, 8);
        assertThat(store.calls).containsExactly("write");
        assertThat(same.isStoreBusy()).isFalse();
        assertThat(counters().heldBack.get()).isEqualTo(2);
        end(1);
        assertThat(bed.released).containsExactly(late);
        assertThat(store.calls).containsExactly("write", "write", "read");
        end(2);
        assertThat(bed.done).containsExactly(same, reader);
        assertThat(bed.in("28 00 0000000b 00 0001 00", 0).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void whatTouchesOtherBlocksGoesOn() throws Exception {
        bed.server.abort(write(bed.nexus, 8, 4, 1));
        write(bed.nexus, 12, 1, 2);
        write(bed.nexus, 7, 1, 3);
        read(other, 100);
        assertThat(store.calls).containsExactly("write", "write", "write", "read");
        assertThat(counters().heldBack.get()).isZero();
        end(4);
    }

    @Test
    void aWriteThatTheStoreDoesNotWorkOnIsNotLate() throws Exception {
        ScsiTask waiting = new ScsiTask(bed);
        bed.prepare(waiting, bed.nexus, 0, cdb("2a 00 00000000 00 0001 00"), 512, 0);
        bed.server.abort(waiting);
        bed.server.abort(read(bed.nexus, 0));
        write(bed.nexus, 0, 1, 2);
        assertThat(store.calls).containsExactly("read", "write");
        end(2);
    }

    @Test
    void aCommandThatIsHeldBackCanBeEnded() throws Exception {
        ScsiTask late = write(bed.nexus, 0, 8, 1);
        bed.server.abort(late);
        ScsiTask own = write(bed.nexus, 0, 1, 2);
        ScsiTask foreign = write(other, 0, 1, 3);
        assertThat(bed.server.abort(own)).isFalse();
        assertThat(bed.server.taskManagement().lunReset(bed.nexus, 0)).isEqualTo(TaskManagement.Result.COMPLETE);
        assertThat(foreign.status()).isEqualTo(ScsiStatus.TASK_ABORTED);
        assertThat(foreign.isStoreBusy()).isFalse();
        end(1);
        assertThat(store.calls).containsExactly("write");
    }

    @Test
    void severalLateWritesHoldBackUntilTheLastOneConcerned() throws Exception {
        ScsiTask first = write(bed.nexus, 0, 2, 1);
        ScsiTask second = write(other, 1, 2, 2);
        bed.server.taskManagement().lunReset(bed.nexus, 0);
        assertThat(second.status()).isEqualTo(ScsiStatus.TASK_ABORTED);
        assertThat(bed.none("00 00 00 00 00 00").sense()).isEqualTo("6/29/03");
        write(bed.nexus, 1, 1, 3);
        write(bed.nexus, 0, 1, 4);
        assertThat(store.calls).hasSize(2);
        end(1);
        assertThat(bed.released).containsExactly(first);
        assertThat(store.calls).hasSize(3);
        end(1);
        assertThat(store.calls).hasSize(4);
        end(2);
    }
}
