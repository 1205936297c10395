package io.srpt.roce.cm;

import io.srpt.counter.Counter;
import io.srpt.verbs.RejectReason;

/** What a connection manager has done. Written on the port's loop, read from anywhere. */
public final class CmCounters {
    private final Counter[] received = counters(CmMessageType.values().length);
    private final Counter[] sent = counters(CmMessageType.values().length);
    private final Counter[] duplicates = counters(CmMessageType.values().length);
    private final Counter[] retries = counters(CmMessageType.values().length);
    private final Counter[] rejectsSent = counters(RejectReason.values().length);
    private final Counter[] rejectsReceived = counters(RejectReason.values().length);

    /** Messages with an attribute that is not served. */
    public final Counter unsupported = new Counter();

    /** Messages for ids that are not known; DREQs among them are answered. */
    public final Counter unknownIds = new Counter();

    /** DREQs that named another queue pair. */
    public final Counter wrongQueuePair = new Counter();

    /** Messages that could not be sent for want of a buffer or a slot; timers repeat what matters. */
    public final Counter sendFailures = new Counter();

    /** Gauge: requests that wait for the consumer or for RTU. */
    public final Counter halfOpen = new Counter();

    /** Gauge: connections established. */
    public final Counter established = new Counter();

    /** Gauge: connections in TimeWait. */
    public final Counter timeWait = new Counter();

    /** Connections that left TimeWait early for want of room. */
    public final Counter timeWaitEvictions = new Counter();

    /** Consumers' handlers that threw. */
    public final Counter handlerFailures = new Counter();

    CmCounters() {}

    public Counter received(CmMessageType type) {
        return received[type.ordinal()];
    }

    /** Repetitions included. */
    public Counter sent(CmMessageType type) {
        return sent[type.ordinal()];
    }

    /** Messages that came again, or that the state had no use for. */
    public Counter duplicates(CmMessageType type) {
        return duplicates[type.ordinal()];
    }

    /** Repetitions by the timer. */
    public Counter retries(CmMessageType type) {
        return retries[type.ordinal()];
    }

    public Counter rejectsSent(RejectReason reason) {
        return rejectsSent[reason.ordinal()];
    }

    public Counter rejectsReceived(RejectReason reason) {
        return rejectsReceived[reason.ordinal()];
    }

    private static Counter[] counters(int count) {
        Counter[] counters = new Counter[count];
        for (int i = 0; i < count; i++) {
            counters[i] = new Counter();
        }
        return counters;
    }
}
