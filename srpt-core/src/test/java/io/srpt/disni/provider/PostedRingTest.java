package io.srpt.disni.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostedRingTest {
    @Test
    void aCompletionFreesItsSlotAndAllBeforeIt() {
        PostedRing ring = new PostedRing(5);
        for (int round = 0; round < 100; round++) {
            int[] slots = new int[3];
            for (int i = 0; i < 3; i++) {
                slots[i] = ring.next();
                ring.post(10L * round + i);
            }
            assertThat(ring.free()).isEqualTo(2);
            assertThat(ring.wrId(slots[1])).isEqualTo(10L * round + 1);
            ring.completeUpTo(slots[1]);
            assertThat(ring.free()).isEqualTo(4);
            ring.completeUpTo(slots[2]);
            assertThat(ring.free()).isEqualTo(5);
        }
    }

    @Test
    void isFullWithAsManyAsItHolds() {
        PostedRing ring = new PostedRing(2);
        ring.post(1);
        assertThat(ring.isFull()).isFalse();
        ring.post(2);
        assertThat(ring.isFull()).isTrue();
    }

    @Test
    void numbersNameQueueDirectionAndSlot() {
        long base = WorkRequestNumber.base(65_535, 70_000);
        long send = WorkRequestNumber.ofSend(base, 1_000_000);
        long receive = WorkRequestNumber.ofReceive(base, 1_000_000);
        assertThat(WorkRequestNumber.index(send)).isEqualTo(65_535);
        assertThat(WorkRequestNumber.slot(send)).isEqualTo(1_000_000);
        assertThat(WorkRequestNumber.slot(receive)).isEqualTo(1_000_000);
        assertThat(WorkRequestNumber.isReceive(send)).isFalse();
        assertThat(WorkRequestNumber.isReceive(receive)).isTrue();
        assertThat(WorkRequestNumber.isOf(receive, base)).isTrue();
        assertThat(WorkRequestNumber.isOf(receive, WorkRequestNumber.base(65_535, 70_001)))
                .isFalse();
    }
}
