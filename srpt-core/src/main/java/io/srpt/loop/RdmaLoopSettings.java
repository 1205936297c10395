package io.srpt.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How loops behave.
 *
 * @param spin how long an idle loop polls before it sleeps; zero sleeps at once, null polls as long as it pays
 * @param stallLimit a loop that does not turn for longer is reported; zero reports none
 */
public record RdmaLoopSettings(@Nullable Duration spin, Duration stallLimit) {
    /** Polls as long as it pays; a stall is 100 ms. */
    public static final RdmaLoopSettings DEFAULTS = new RdmaLoopSettings(null, Duration.ofMillis(100));

    /** Throws on negative durations. */
    public RdmaLoopSettings {
        if ((spin != null && spin.isNegative()) || stallLimit.isNegative()) {
            throw new IllegalArgumentException("spin " + spin + " or stall limit " + stallLimit + " is negative");
        }
    }

    /** For one loop. */
    SpinTime newSpinTime() {
        return spin == null ? SpinTime.adaptive() : SpinTime.of(spin.toNanos());
    }

    /** With another {@link #spin}. */
    public RdmaLoopSettings withSpin(@Nullable Duration newSpin) {
        return new RdmaLoopSettings(newSpin, stallLimit);
    }

    /** With another {@link #stallLimit}. */
    public RdmaLoopSettings withStallLimit(Duration newLimit) {
        return new RdmaLoopSettings(spin, newLimit);
    }
}
