package io.srpt.verbs;

/**
 * Memory for one message to come. Like {@link SendWorkRequest} it is the caller's and free for reuse right after the
 * post. On a datagram queue pair the first 40 bytes take the global route header.
 */
public final class ReceiveWorkRequest {
    private final ScatterGatherList segments;
    private long wrId;

    /** For at most {@code maxSegments} scatter-gather elements. */
    public ReceiveWorkRequest(int maxSegments) {
        segments = new ScatterGatherList(maxSegments);
    }

    /** Makes it a new request without segments. */
    public ReceiveWorkRequest reset(long newWrId) {
        wrId = newWrId;
        segments.clear();
        return this;
    }

    /** Appends a piece of local memory with the right {@link Access#LOCAL_WRITE}. */
    public ReceiveWorkRequest segment(long address, int length, int localKey) {
        segments.add(address, length, localKey);
        return this;
    }

    public long wrId() {
        return wrId;
    }

    public ScatterGatherList segments() {
        return segments;
    }
}
