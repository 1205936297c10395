package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PsnTest {

    @Test
    void wrapsAt24Bits() {
        assertThat(Psn.next(0xFFFFFF)).isZero();
        assertThat(Psn.previous(0)).isEqualTo(0xFFFFFF);
        assertThat(Psn.add(0xFFFFFE, 5)).isEqualTo(3);
        assertThat(Psn.add(3, -5)).isEqualTo(0xFFFFFE);
    }

    @Test
    void comparesAcrossTheWrap() {
        assertThat(Psn.before(0xFFFFFF, 0)).isTrue();
        assertThat(Psn.after(0, 0xFFFFFF)).isTrue();
        assertThat(Psn.diff(2, 0xFFFFFE)).isEqualTo(4);
        assertThat(Psn.diff(0xFFFFFE, 2)).isEqualTo(-4);
        assertThat(Psn.compare(7, 7)).isZero();
        assertThat(Psn.diff(0x7FFFFF, 0)).isEqualTo(0x7FFFFF);
        assertThat(Psn.diff(0x800000, 0)).isEqualTo(-0x800000);
    }

    @Test
    void diffUndoesAdd() {
        long seed = 24;
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            int psn = random.nextInt(1 << 24);
            int count = random.nextInt(1 << 24) - (1 << 23);
            int sum = Psn.add(psn, count);
            assertThat(Psn.diff(sum, psn)).as("seed %d", seed).isEqualTo(count);
            assertThat(sum).isBetween(0, Psn.MASK);
        }
    }

    @Test
    void aRangeMayWrap() {
        assertThat(Psn.inRange(1, 0xFFFFFE, 4)).isTrue();
        assertThat(Psn.inRange(2, 0xFFFFFE, 4)).isFalse();
        assertThat(Psn.inRange(0xFFFFFD, 0xFFFFFE, 4)).isFalse();
        assertThat(Psn.inRange(5, 5, 0)).isFalse();
    }
}
