package io.srpt.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void putsAValueThatEqualsABoundBelowIt() {
        Histogram latencies = Histogram.ofLatencies();
        latencies.record(10_000);
        latencies.record(10_001);
        latencies.record(TimeUnit.SECONDS.toNanos(11));

        assertThat(latencies.bound(0)).isEqualTo(10_000);
        assertThat(latencies.bound(latencies.boundedBuckets() - 1)).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(latencies.count(0)).isOne();
        assertThat(latencies.count(1)).isOne();
        assertThat(latencies.count(latencies.boundedBuckets())).isOne();
        assertThat(latencies.count()).isEqualTo(3);
        assertThat(latencies.sum()).isEqualTo(20_001 + TimeUnit.SECONDS.toNanos(11));
    }

    @Test
    void boundsCountsByPowersOfTwo() {
        Histogram sizes = Histogram.ofPowersOfTwo(64);

        assertThat(sizes.boundedBuckets()).isEqualTo(7);
        assertThat(sizes.bound(0)).isOne();
        assertThat(sizes.bound(6)).isEqualTo(64);
    }

    @Test
    void keepsAMaximumForOneToTwoMinutes() {
        RecentMaximum maximum = new RecentMaximum();
        long minute = TimeUnit.MINUTES.toNanos(1);
        maximum.record(7, 10 * minute);
        maximum.record(3, 10 * minute + 1);

        assertThat(maximum.get(10 * minute + 2)).isEqualTo(7);
        assertThat(maximum.get(11 * minute + 2)).isEqualTo(7);
        assertThat(maximum.get(12 * minute + 2)).isZero();
        maximum.record(2, 11 * minute + 3);
        assertThat(maximum.get(11 * minute + 4)).isEqualTo(7);
        assertThat(maximum.get(12 * minute + 4)).isEqualTo(2);
    }
}
