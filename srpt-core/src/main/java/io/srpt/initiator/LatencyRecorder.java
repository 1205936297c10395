package io.srpt.initiator;

/** Takes the latency of each command of a {@link SrpBench}, on the session's loop. Must not block or allocate. */
@FunctionalInterface
public interface LatencyRecorder {
    /** A command took {@code nanos} from submission to its answer. */
    void record(long nanos, boolean read);

    /** The warm-up is over: commands that end from now on count. */
    default void onMeasuring() {}

    /** No command counts any more. */
    default void onMeasured() {}
}
