package io.srpt.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A send, RDMA WRITE or RDMA READ to post. The object is the caller's: it is read during
 * {@link QueuePair#postSend(SendWorkRequest)} and can be changed and posted again right after. Fill it with the fluent
 * setters, starting with {@link #reset(WorkRequestOpcode, long)}.
 */
public final class SendWorkRequest {
    /** A completion is wanted even if it ends well; errors always complete. */
    public static final int SIGNALED = 1;
    /** The receiver's completion raises a solicited event. */
    public static final int SOLICITED = 1 << 1;
    /** Wait for all earlier RDMA READs of this queue pair to end first. */
    public static final int FENCE = 1 << 2;

    private final ScatterGatherList segments;
    private WorkRequestOpcode opcode = WorkRequestOpcode.SEND;
    private long wrId;
    private int flags;
    private long remoteAddress;
    private int remoteKey;
    private int immediate;
    private @Nullable AddressHandle addressHandle;
    private int remoteQueuePair;
    private int remoteQKey;

    /** For at most {@code maxSegments} scatter-gather elements. */
    public SendWorkRequest(int maxSegments) {
        segments = new ScatterGatherList(maxSegments);
    }

    /** Makes it a new request without segments, flags or remote address. */
    public SendWorkRequest reset(WorkRequestOpcode newOpcode, long newWrId) {
        opcode = newOpcode;
        wrId = newWrId;
        flags = 0;
        remoteAddress = 0;
        remoteKey = 0;
        immediate = 0;
        addressHandle = null;
        segments.clear();
        return this;
    }

    /** Sets the flags, a sum of {@link #SIGNALED}, {@link #SOLICITED} and {@link #FENCE}. */
    public SendWorkRequest flags(int newFlags) {
        flags = newFlags;
        return this;
    }

    /** RDMA: where at the peer, and the peer's key for it. */
    public SendWorkRequest remote(long address, int key) {
        remoteAddress = address;
        remoteKey = key;
        return this;
    }

    /** Immediate data, or the peer's key to invalidate for SEND_WITH_INVALIDATE. */
    public SendWorkRequest immediate(int value) {
        immediate = value;
        return this;
    }

    /** Datagrams: to whom. */
    public SendWorkRequest datagram(AddressHandle handle, int queuePair, int qKey) {
        addressHandle = handle;
        remoteQueuePair = queuePair;
        remoteQKey = qKey;
        return this;
    }

    /** Appends a piece of local memory. */
    public SendWorkRequest segment(long address, int length, int localKey) {
        segments.add(address, length, localKey);
        return this;
    }

    public WorkRequestOpcode opcode() {
        return opcode;
    }

    public long wrId() {
        return wrId;
    }

    public int flags() {
        return flags;
    }

    public boolean isSignaled() {
        return (flags & SIGNALED) != 0;
    }

    public ScatterGatherList segments() {
        return segments;
    }

    public long remoteAddress() {
        return remoteAddress;
    }

    public int remoteKey() {
        return remoteKey;
    }

    public int immediate() {
        return immediate;
    }

    public @Nullable AddressHandle addressHandle() {
        return addressHandle;
    }

    public int remoteQueuePair() {
        return remoteQueuePair;
    }

    public int remoteQKey() {
        return remoteQKey;
    }
}
