package io.srpt.reactor.event;

import java.time.Duration;

/**
 * An event loop was kept from turning for longer than the set time. While it hangs one event comes with {@code over} false,
 * and when it goes on one with {@code over} true and the whole duration.
 *
 * @param loop the loop's name
 * @param handler what ran
 * @param duration for how long so far
 * @param over whether it goes on turning
 */
public record LoopStalled(String loop, String handler, Duration duration, boolean over) implements StallEvent {
    /** Loops may serve several ports. */
    @Override
    public String port() {
        return NO_PORT;
    }
}
