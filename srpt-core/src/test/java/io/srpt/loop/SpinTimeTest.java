package io.srpt.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinTimeTest {
    private static final long SHORT_NANOS = SpinTime.LONGEST_NANOS / 2;
    private static final long LONG_NANOS = 1_000_000_000;

    private final SpinTime spin = SpinTime.adaptive();

    @Test
    void sleepsAtOnceUntilPausesAreShort() {
        assertThat(spin.nanos()).isZero();

        pause(50, SHORT_NANOS);

        assertThat(spin.nanos()).isEqualTo(SpinTime.LONGEST_NANOS);
    }

    @Test
    void goesOnPollingAfterALongPauseAmongShortOnes() {
        pause(50, SHORT_NANOS);

        pause(1, LONG_NANOS);
        pause(8, SHORT_NANOS);

        assertThat(spin.nanos()).isEqualTo(SpinTime.LONGEST_NANOS);
    }

    @Test
    void sleepsAtOnceWhenPausesAreLong() {
        pause(50, SHORT_NANOS);

        pause(2, LONG_NANOS);

        assertThat(spin.nanos()).isZero();
    }

    @Test
    void pollsAlwaysOrNeverWhenTold() {
        SpinTime always = SpinTime.of(50_000);
        SpinTime never = SpinTime.of(0);

        always.onPause(LONG_NANOS);
        never.onPause(1);

        assertThat(always.nanos()).isEqualTo(50_000);
        assertThat(never.nanos()).isZero();
    }

    private void pause(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            spin.onPause(nanos);
        }
    }
}
