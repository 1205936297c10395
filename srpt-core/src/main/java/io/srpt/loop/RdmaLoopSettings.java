package io.srpt.loop;

import java.time.Duration;

/**
 * How loops behave.
 *
 * @param spin how long an idle loop polls before it sleeps; zero sleeps at once
 * @param stallLimit a loop that does not turn for longer is reported; zero reports none
 */
public record RdmaLoopSettings(Duration spin, Duration stallLimit) {
    /** No spinning; a stall is 100 ms. */
    public static final RdmaLoopSettings DEFAULTS = new RdmaLoopSettings(Duration.ZERO, Duration.ofMillis(100));

    /** Throws on negative durations. */
    public RdmaLoopSettings {
        if (spin.isNegative() || stallLimit.isNegative()) {
            throw new IllegalArgumentException("spin " + spin + " or stall limit " + stallLimit + " is negative");
        }
    }

    /** With another {@link #spin}. */
    public RdmaLoopSettings withSpin(Duration newSpin) {
        return new RdmaLoopSettings(newSpin, stallLimit);
    }

    /** With another {@link #stallLimit}. */
    public RdmaLoopSettings withStallLimit(Duration newLimit) {
        return new RdmaLoopSettings(spin, newLimit);
    }
}
