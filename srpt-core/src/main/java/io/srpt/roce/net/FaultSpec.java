package io.srpt.roce.net;

import java.time.Duration;
import java.util.Locale;

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

    /**
     * Reads {@code seed=7,loss=0.01,duplicate=0.005,reorder=0.005}; each key may be missing.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    public static FaultSpec parse(String text) {
        long seed = 0;
        double loss = 0;
        double duplicate = 0;
        double reorder = 0;
        for (String item : text.split(",")) {
            String[] parts = item.split("=", 2);
            if (parts.length != 2) {
                throw new IllegalArgumentException("faults: '" + item + "' is not KEY=VALUE");
            }
            String value = parts[1].strip();
            try {
                switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                    case "seed" -> seed = Long.parseLong(value);
                    case "loss" -> loss = Double.parseDouble(value);
                    case "duplicate" -> duplicate = Double.parseDouble(value);
                    case "reorder" -> reorder = Double.parseDouble(value);
                    default ->
                        throw new IllegalArgumentException(
                                "faults: unknown key '" + parts[0] + "'; known are seed, loss, duplicate, reorder");
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("faults: '" + value + "' of " + parts[0] + " is not a number", e);
            }
        }
        return new FaultSpec(seed, loss, duplicate, reorder, Duration.ZERO);
    }

    private static void requireShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("faults: " + name + " must be between 0 and 1, not " + value);
        }
    }
}
