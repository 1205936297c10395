package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A reliable connection delivers all work once, in order and whole, whatever the network does. */
class ReliableConnectionTest {
    private static final int SEEDS = TestProfile.count(1_000, 20_000);
    private static final int OPERATIONS = 40;

    @Test
    void aQuietNetworkNeedsNoRetransmission() throws Exception {
        var simulation = new ReliableConnectionSimulation(1, FaultSpec.NONE);
        simulation.run(500);
        assertDelivered(simulation, 1);
        assertThat(simulation.left().device.counters().retransmits().get()).isZero();
        assertThat(simulation.right().device.counters().duplicates().get()).isZero();
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
            var simulation = new ReliableConnectionSimulation(seed, faultsOf(seed));
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
        var simulation = new ReliableConnectionSimulation(3, new SimulatedNetwork(faultsOf(3), 16_384));
        simulation.run(300);
        assertDelivered(simulation, 3);
    }

    @Test
    void withoutRetransmissionSeedsFail() throws Exception {
        int failed = 0;
        for (long seed = 0; seed < 20; seed++) {
            var simulation = new ReliableConnectionSimulation(seed, faultsOf(seed));
            simulation.left().device.port().stopRetransmitting();
            simulation.right().device.port().stopRetransmitting();
            simulation.run(OPERATIONS);
            failed += simulation.isDone() ? 0 : 1;
        }
        assertThat(failed).isPositive();
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
        assertThat(simulation.left().failed || simulation.right().failed).as(hint).isFalse();
        assertThat(simulation.isDone()).as(hint + ": all completed").isTrue();
    }
}
