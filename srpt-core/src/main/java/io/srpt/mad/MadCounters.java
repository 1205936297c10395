package io.srpt.mad;

import io.srpt.counter.Counter;
import io.srpt.counter.CounterTable;
import io.srpt.counter.Histogram;

/** What a {@link MadService} has done. Written on the port's loop, read from anywhere. */
public final class MadCounters {
    private final CounterTable<MadAttribute, MadReceiveResult> receives =
            new CounterTable<>(MadAttribute.class, MadReceiveResult.class);
    private final Counter[] drops = new Counter[MadDropReason.values().length];

    /** Datagrams handed to agents. */
    public final Counter received = new Counter();

    /** Datagrams posted, repetitions included. */
    public final Counter sent = new Counter();

    /** Sends that could not be posted. */
    public final Counter sendsRefused = new Counter();

    /** Sends repeated because the response did not come in time. */
    public final Counter retries = new Counter();

    /** Sends given up because the response did not come. */
    public final Counter responseTimeouts = new Counter();

    /** Requests answered with "not supported" because no agent has their class. */
    public final Counter unsupportedReplies = new Counter();

    /** Replies to which a {@link MadReplyInterceptor} did something. */
    public final Counter faultsInjected = new Counter();

    /** Handlers and interceptors that threw. */
    public final Counter handlerFailures = new Counter();

    /** Gauge: address handles in use. */
    public final Counter addressHandles = new Counter();

    /** Nanoseconds from the post of a send, its first, to the delivery of its completion. */
    public final Histogram sendNanos = Histogram.ofLatencies();

    /** Releases of a send that was released before. */
    public final Counter staleSendReleases = new Counter();

    /** Ended sends that were released, whoever did it. */
    public final Counter sendsReleased = new Counter();

    /** Received datagrams that were released, whoever did it. */
    public final Counter receivesReleased = new Counter();

    /** Of the releases, how many the service made because a handler threw or held on when its agent closed. */
    public final Counter fallbackReleases = new Counter();

    MadCounters() {
        for (int i = 0; i < drops.length; i++) {
            drops[i] = new Counter();
        }
    }

    /** Datagrams that came, by attribute and by what became of them. */
    public Counter receives(MadAttribute attribute, MadReceiveResult result) {
        return receives.get(attribute, result);
    }

    /** Datagrams dropped for {@code reason}. */
    public Counter dropped(MadDropReason reason) {
        return drops[reason.ordinal()];
    }
}
