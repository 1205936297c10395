package io.srpt.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrendTest {
    private static final int SAMPLES = 120;

    @Test
    void holdsForAFlatSeries() {
        Trend trend = Trend.ofLevel("flat", series(IntStream.range(0, SAMPLES).mapToDouble(second -> 18)), 0);

        assertThat(trend.holds()).isTrue();
        assertThat(trend.change()).isZero();
    }

    @Test
    void holdsForNoiseAroundALevel() {
        long seed = 20_26;
        Random random = new Random(seed);
        Trend trend = Trend.ofLevel("noise", series(random.doubles(SAMPLES).map(noise -> 100e6 + 1e6 * noise)), 0.02);

        assertThat(trend.holds()).as("seed %d: %s", seed, trend).isTrue();
    }

    @Test
    void ignoresTheWarmUp() {
        Trend trend = Trend.ofLevel(
                "warm-up", series(IntStream.range(0, SAMPLES).mapToDouble(second -> Math.min(second, 40))), 0);

        assertThat(trend.holds()).isTrue();
    }

    @Test
    void firesForOneDescriptorThatStaysOpenEachTwentySeconds() {
        Trend trend =
                Trend.ofLevel("leak", series(IntStream.range(0, SAMPLES).mapToDouble(second -> 18 + second / 20)), 0);

        assertThat(trend.holds()).isFalse();
        assertThat(trend.line()).contains("MOVED");
    }

    @Test
    void firesForMemoryThatClimbsSteadily() {
        Trend trend = Trend.ofLevel(
                "climb", series(IntStream.range(0, 1800).mapToDouble(second -> 100e6 + 5e3 * second)), 0.02);

        assertThat(trend.change()).isBetween(0.025, 0.03);
        assertThat(trend.holds()).isFalse();
    }

    @Test
    void firesForAFallOutOfTheBand() {
        Trend trend = Trend.ofLevel(
                "fall", series(IntStream.range(0, SAMPLES).mapToDouble(second -> second < 80 ? 100 : 90)), 0.02);

        assertThat(trend.holds()).isFalse();
    }

    @Test
    void firesForWhatAppearsWhereNothingWas() {
        Trend trend = Trend.ofLevel(
                "appears", series(IntStream.range(0, SAMPLES).mapToDouble(second -> second < 80 ? 0 : 1)), 0.5);

        assertThat(trend.holds()).isFalse();
    }

    @Test
    void isNotMovedByOnePeak() {
        Trend trend = Trend.ofLevel(
                "peak", series(IntStream.range(0, SAMPLES).mapToDouble(second -> second == 100 ? 900 : 10)), 0);

        assertThat(trend.holds()).isTrue();
    }

    @Test
    void seesTheFloorUnderASawTooth() {
        DoubleStream flat = IntStream.range(0, SAMPLES).mapToDouble(second -> 20 + second % 10);
        DoubleStream rising = IntStream.range(0, SAMPLES).mapToDouble(second -> 20 + second % 10 + second / 4.0);

        assertThat(Trend.ofFloor("flat", series(flat), 0).holds()).isTrue();
        assertThat(Trend.ofFloor("rising", series(rising), 0.1).holds()).isFalse();
    }

    @Test
    void needsThreeSamples() {
        assertThatThrownBy(() -> Trend.ofLevel("short", List.of(1.0, 2.0), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("short");
    }

    private static List<Double> series(DoubleStream values) {
        return values.boxed().toList();
    }
}
