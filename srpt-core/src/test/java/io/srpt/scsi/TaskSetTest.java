package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Task attributes: who runs, and who waits for whom (SAM-5 §8). */
class TaskSetTest extends HeldDisk {
    private static final String READ = "28 00 00000000 00 0001 00";
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";

    private ScsiTask read(TaskAttribute attribute) {
        return bed.start(bed.nexus, attribute, READ, new byte[0], 512);
    }

    private ScsiTask simple() {
        return read(TaskAttribute.SIMPLE);
    }

    private ScsiTask ordered() {
        return read(TaskAttribute.ORDERED);
    }

    private ScsiTask headOfQueue() {
        return read(TaskAttribute.HEAD_OF_QUEUE);
    }

    private boolean runs(ScsiTask task) {
        return task.isStoreBusy();
    }

    @Test
    void orderedWaitsForAllOlderTasksAndYoungerOnesWaitForIt() throws Exception {
        ScsiTask first = simple();
        ScsiTask second = simple();
        ScsiTask third = ordered();
        ScsiTask fourth = simple();
        ScsiTask fifth = simple();
        assertThat(store.calls).hasSize(2);
        endOne();
        assertThat(runs(third)).isFalse();
        endOne();
        assertThat(bed.done).containsExactly(first, second);
        assertThat(runs(third)).isTrue();
        assertThat(runs(fourth)).isFalse();
        endOne();
        assertThat(runs(fourth)).isTrue();
        assertThat(runs(fifth)).isTrue();
        endOne();
        endOne();
        assertThat(bed.done).containsExactly(first, second, third, fourth, fifth);
        assertThat(bed.begun).containsExactly(third, fourth, fifth);
    }

    @Test
    void orderedTasksRunOneAfterTheOther() throws Exception {
        ScsiTask first = ordered();
        ScsiTask second = ordered();
        assertThat(runs(first)).isTrue();
        assertThat(runs(second)).isFalse();
        endOne();
        assertThat(runs(second)).isTrue();
        endOne();
        assertThat(bed.done).containsExactly(first, second);
    }

    @Test
    void headOfQueuePassesAndHoldsTheOthersUp() throws Exception {
        ScsiTask first = ordered();
        ScsiTask second = simple();
        ScsiTask head = headOfQueue();
        assertThat(runs(head)).isTrue();
        endOne();
        assertThat(bed.done).containsExactly(first);
        assertThat(runs(second)).as("a HEAD OF QUEUE task is there").isFalse();
        ScsiTask third = simple();
        assertThat(runs(third)).isFalse();
        endOne();
        assertThat(bed.done).containsExactly(first, head);
        assertThat(runs(second)).isTrue();
        assertThat(runs(third)).isTrue();
        endOne();
        endOne();
    }

    @Test
    void aCommandThatTransfersNothingWaitsForItsTurnToo() throws Exception {
        ScsiTask first = simple();
        ScsiTask ready = bed.start(bed.nexus, TaskAttribute.ORDERED, TEST_UNIT_READY, new byte[0], 0);
        ScsiTask behind = bed.start(bed.nexus, TaskAttribute.SIMPLE, TEST_UNIT_READY, new byte[0], 0);
        assertThat(bed.done).isEmpty();
        endOne();
        assertThat(bed.done).containsExactly(first, ready, behind);
    }

    @Test
    void aTaskSeesWhatOlderOnesHaveChanged() throws Exception {
        // MODE SELECT sets SWP, behind a write that is under way.
        simple();
        byte[] page = new byte[16];
        page[4] = 0x0A;
        page[5] = 0x0A;
        page[6] = 2;
        page[7] = 0x10;
        page[8] = 8;
        page[9] = 0x40;
        page[12] = (byte) 0xFF;
        page[13] = (byte) 0xFF;
        ScsiTask select = new ScsiTask(bed);
        byte[] cdb = {0x15, 0x10, 0, 0, 16, 0};
        assertThat(bed.prepare(select, bed.nexus, 0, cdb, 16, 0)).isEqualTo(TaskPhase.NEEDS_DATA_OUT);
        ScsiTask write = bed.start(bed.nexus, TaskAttribute.ORDERED, "2a 00 00000000 00 0001 00", new byte[512], 0);
        endOne();
        assertThat(bed.begun).isEmpty();
        ScsiTestBed.supply(select, page);
        bed.server.execute(select);
        endOne(); // the flush before the protection
        assertThat(select.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.done).endsWith(select, write);
        assertThat(Objects.requireNonNull(SenseData.decode(write.sense(), 0, write.senseLength()))
                        .toString())
                .isEqualTo("7/27/02");
    }

    @Test
    void aTaskThatWaitsCanBeEndedAndOthersGoOnWithoutIt() throws Exception {
        ScsiTask first = simple();
        ScsiTask second = ordered();
        ScsiTask third = simple();
        assertThat(bed.server.abort(second)).isFalse();
        assertThat(runs(third)).as("it waited for the ordered one only").isTrue();
        second.reset();
        endOne();
        endOne();
        assertThat(bed.done).containsExactly(first, third);
    }

    @Test
    void nobodyBeginsWhileAResetEndsThemAll() throws Exception {
        ScsiTask first = ordered();
        ScsiTask second = simple();
        ScsiTask third = ordered();
        bed.server.taskManagement().lunReset(bed.nexus, 0);
        assertThat(bed.aborted).containsExactlyInAnyOrder(first, second, third);
        assertThat(bed.begun).isEmpty();
        endOne();
        assertThat(store.calls).hasSize(1);
        assertThat(bed.none(TEST_UNIT_READY).sense()).isEqualTo("6/29/03");
        ScsiTask next = ordered();
        assertThat(runs(next)).isTrue();
        endOne();
    }

    @Test
    void formatDoesNotWaitForThoseThatWaitForIt() throws Exception {
        ScsiTask first = simple();
        ScsiTask format = bed.start(bed.nexus, TaskAttribute.SIMPLE, "04 00 00 00 00 00", new byte[0], 0);
        ScsiTask behind = ordered();
        endOne();
        assertThat(bed.done).containsExactly(first);
        while (!store.held.isEmpty()) {
            endOne();
        }
        assertThat(bed.done).startsWith(first, format);
        assertThat(runs(behind) || bed.done.contains(behind)).isTrue();
    }
}
