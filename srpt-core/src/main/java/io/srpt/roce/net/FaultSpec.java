package io.srpt.roce.net;

import java.time.Duration;

/**
 * What an unreliable network does to datagrams, with the seed that makes it do the same again.
 *
 * @param seed of the random choices
 * @param loss share of datagrams lost, 0 to 1
 * @param duplicate share of datagrams delivered twice, 0 to 1
 * @param reorder share of datagrams that swap places with a later one, 0 to 1
 * @param delay extra time on the way, for simulated networks
 */
public record FaultSpec(long seed, double loss, double duplicate, double reorder, Duration delay) {
    /** A network without faults. */
    public static final FaultSpec NONE = new FaultSpec(0, 0, 0, 0, Duration.ZERO);

    public FaultSpec {
        requireShare("loss", loss);
        requireShare("duplicate", duplicate);
        requireShare("reorder", reorder);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative: " + delay);
        }
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("faults: " + name + " must be between 0 and 1, not " + value);
        }
    }
}
