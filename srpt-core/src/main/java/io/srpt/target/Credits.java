package io.srpt.target;

/**
 * The request limit of one channel (SRP r16a §5.3, wire rules in {@code SrpResponse}).
 *
 * <p>The invariant: what the initiator may still send is never more than the receives that are posted. So a credit is given
 * only together with, and after, the posting of the receive that it promises.
 */
final class Credits {
    private final TargetCounters counters;
    private final ChannelCounters channelCounters;
    private int peer;
    private int saved;

    Credits(TargetCounters counters, ChannelCounters channelCounters, int initial) {
        this.counters = counters;
        this.channelCounters = channelCounters;
        change(initial);
    }

    private void change(int delta) {
        peer += delta;
        counters.creditsInUse.add(delta);
        channelCounters.credits.add(delta);
    }

    /** The channel is gone, and its credits with it. */
    void end() {
        change(-peer);
    }

    /** A unit came that costs one. */
    void spend() {
        change(-1);
        if (peer < 0) {
            counters.creditViolations.increment();
        }
    }

    /** A unit ended whose credit no response of its own will carry. Its receive is posted again. */
    void save() {
        saved++;
    }

    /** The delta of a response: its own credit, and those saved. */
    int takeForResponse() {
        return grant(1 + saved);
    }

    /** The delta of a credit request: those saved. */
    int takeSaved() {
        return grant(saved);
    }

    private int grant(int delta) {
        saved = 0;
        change(delta);
        counters.creditsGranted.add(delta);
        return delta;
    }

    /** What the initiator may still send. */
    int peer() {
        return peer;
    }

    int saved() {
        return saved;
    }
}
