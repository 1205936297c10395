package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reliable connection delivers all work once, in order and whole, whatever the network does. */
class ReliableConnectionTest {
    private static final int SEEDS = TestProfile.count(1_000, 20_000);
    private static final int OPERATIONS = 40;
    private static final int SHORT = 9_000;
    /** Several of the segments in which a READ is asked for. */
    private static final int LONG = 200_000;

    @Test
    void aQuietNetworkNeedsNoRetransmission() throws Exception {
        var simulation = new ReliableConnectionSimulation(1, SHORT, new SimulatedNetwork(FaultSpec.NONE));
        simulation.run(500);
        assertDelivered(simulation, 1);
        assertThat(simulation.left().device.counters().retransmits().get()).isZero();
        assertThat(simulation.right().device.counters().duplicates().get()).isZero();
    }

    /** Both sides begin next to the wrap of the PSN; each sends its 20,000 packets and more. */
    @ParameterizedTest
    @ValueSource(ints = {0xFFFFFF, 0, 0xFFFFF0})
    @Tag("pitfall-40")
    void thePsnWrapsWithoutARepetition(int firstPsn) throws Exception {
        var simulation = new ReliableConnectionSimulation(1, SHORT, new SimulatedNetwork(FaultSpec.NONE), firstPsn);
        simulation.run(4_000);
        assertDelivered(simulation, 1);
        for (var side : List.of(simulation.left(), simulation.right())) {
            RoceCounters counters = side.device.counters();
            assertThat(counters.retransmits().get()).isZero();
            assertThat(counters.duplicates().get()).isZero();
            assertThat(counters.outOfSequence().get()).isZero();
        }
        assertThat(simulation.network().sent()).isGreaterThan(40_000);
    }

    @Test
    void everySeedOfABadNetworkDeliversAllWorkOnceAndWhole() throws Exception {
        String only = System.getProperty("srpt.seed");
        long first = only == null ? 0 : Long.parseLong(only);
        int count = only == null ? SEEDS : 1;
        long retransmits = 0;
        long duplicates = 0;
        long outOfSequence = 0;
        for (long seed = first; seed < first + count; seed++) {
            var simulation = new ReliableConnectionSimulation(seed, seed % 16 == 0 ? LONG : SHORT, networkOf(seed));
            simulation.run(OPERATIONS);
            assertDelivered(simulation, seed);
            RoceCounters counters = simulation.left().device.counters();
            retransmits += counters.retransmits().get();
            duplicates += counters.duplicates().get();
            outOfSequence += counters.outOfSequence().get();
        }
        if (only == null) {
            assertThat(retransmits).isPositive();
            assertThat(duplicates).isPositive();
            assertThat(outOfSequence).isPositive();
        }
    }

    @Test
    void aSmallReceiveBufferBoundsTheReadsInFlightAndAllOfThemComplete() throws Exception {
        var simulation =
                new ReliableConnectionSimulation(3, LONG, new SimulatedNetwork(faultsOf(3), 16_384, Duration.ZERO));
        simulation.run(300);
        assertDelivered(simulation, 3);
    }

    @Test
    void withoutRetransmissionSeedsFail() throws Exception {
        int failed = 0;
        for (long seed = 0; seed < 20; seed++) {
            var simulation = new ReliableConnectionSimulation(seed, seed % 16 == 0 ? LONG : SHORT, networkOf(seed));
            simulation.left().device.port().stopRetransmitting();
            simulation.right().device.port().stopRetransmitting();
            simulation.run(OPERATIONS, TimeUnit.SECONDS.toNanos(1));
            failed += simulation.isDone() ? 0 : 1;
        }
        assertThat(failed).isPositive();
    }

    /** On half of the networks datagrams gather, so that one turn of a loop sees several. */
    private static SimulatedNetwork networkOf(long seed) {
        return new SimulatedNetwork(faultsOf(seed), 4 << 20, Duration.ofNanos(seed % 2 * 30_000));
    }

    private static FaultSpec faultsOf(long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        return new FaultSpec(
                seed,
                random.nextInt(4) == 0 ? 0 : random.nextDouble(0.05),
                random.nextDouble(0.05),
                random.nextDouble(0.1),
                Duration.ofNanos(random.nextLong(100_000)));
    }

    private static void assertDelivered(ReliableConnectionSimulation simulation, long seed) {
        String hint = "seed " + seed + " (-Dsrpt.seed=" + seed + ")";
        assertThat(simulation.left().errors).as(hint).isEmpty();
        assertThat(simulation.right().errors).as(hint).isEmpty();
        assertThat(simulation.left().failed || simulation.right().failed)
                .as(hint)
                .isFalse();
        assertThat(simulation.isDone()).as(hint + ": all completed").isTrue();
    }
}
