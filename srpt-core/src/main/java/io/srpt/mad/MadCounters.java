package io.srpt.mad;

import io.srpt.counter.Counter;
import io.srpt.counter.CounterTable;
import io.srpt.counter.Histogram;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.Arrays;

/** What a {@link MadService} has done. Written on the port's loop, read from anywhere. */
public final class MadCounters {
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

    /** Handlers that threw. */
    public final Counter handlerFailures = new Counter();

    /** Gauge: address handles in use. */
    public final Counter addressHandles = new Counter();

    /** Gauge: received datagrams that agents hold. */
    public final Counter receivesHeld = new Counter();

    /** Sends released by the handler that owned their completion. */
    public final Counter releasedByHandler = new Counter();

    /** Sends that the service itself released, as their handler did not. */
    public final Counter releasedByFallback = new Counter();

    /** Nanoseconds from the post of a send, its first, to the delivery of its completion. */
    public final Histogram sendNanos = Histogram.ofLatencies();

    /** Releases of a send that was released before. */
    public final Counter staleSendReleases = new Counter();

    private final CounterTable<MadAttribute, MadReceiveResult> receives =
            new CounterTable<>(MadAttribute.class, MadReceiveResult.class);
    private final Counter[] completions = new Counter[WorkCompletionStatus.values().length];

    MadCounters() {
        Arrays.setAll(completions, status -> new Counter());
        for (int i = 0; i < drops.length; i++) {
            drops[i] = new Counter();
        }
    }

    /** Datagrams that came, by attribute and by what became of them. */
    public Counter receives(MadAttribute attribute, MadReceiveResult result) {
        return receives.get(attribute, result);
    }

    /** Send completions delivered with {@code status}. */
    public Counter completions(WorkCompletionStatus status) {
        return completions[status.ordinal()];
    }

    /** Datagrams dropped for {@code reason}. */
    public Counter dropped(MadDropReason reason) {
        return drops[reason.ordinal()];
    }
}
