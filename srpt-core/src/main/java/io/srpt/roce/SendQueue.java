package io.srpt.roce;

import io.srpt.verbs.Access;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkRequestOpcode;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Posted sends, RDMA WRITEs and READs in order, in a ring of elements. Elements are made when so many are posted for the first
 * time, and used again: first the one that was given back last, which the processor has in its caches. They are numbered without
 * end; {@link #head} is the oldest that has not completed, {@link #tail} the next to be posted.
 */
final class SendQueue {
    private static final int INITIAL_LENGTH = 8;

    private final RoceProtectionDomain domain;
    private final int capacity;
    private final int maxSegments;
    private @Nullable Element[] ring = new Element[INITIAL_LENGTH];
    /** The first {@code freeCount} are there. */
    private @Nullable Element[] free = new Element[INITIAL_LENGTH];

    private int freeCount;
    private int head;
    private int tail;

    SendQueue(RoceProtectionDomain domain, int capacity, int maxSegments) {
        this.domain = domain;
        this.capacity = capacity;
        this.maxSegments = maxSegments;
    }

    /** Copies {@code request} into the element that {@link #commit} will add, if there is room and it is valid. */
    PostResult prepare(SendWorkRequest request, long maxMessageBytes) {
        if (free() == 0) {
            return PostResult.QUEUE_FULL;
        }
        if (tail - head == ring.length) {
            grow();
        }
        boolean read = request.opcode() == WorkRequestOpcode.RDMA_READ;
        Element element = next();
        if (!element.segments.load(request.segments(), domain, read ? Access.LOCAL_WRITE : 0)
                || element.segments.byteLength() > maxMessageBytes) {
            return PostResult.INVALID;
        }
        element.wrId = request.wrId();
        element.opcode = request.opcode();
        element.flags = request.flags();
        element.remoteAddress = request.remoteAddress();
        element.remoteKey = request.remoteKey();
        element.immediate = request.immediate();
        element.remoteQueuePair = request.remoteQueuePair();
        element.remoteQKey = request.remoteQKey();
        element.addressHandle = (RoceAddressHandle) request.addressHandle();
        element.received = 0;
        return PostResult.OK;
    }

    private void grow() {
        @Nullable Element[] bigger = new Element[ring.length * 2];
        for (int i = head; i != tail; i++) {
            bigger[i & bigger.length - 1] = at(i);
        }
        ring = bigger;
        free = Arrays.copyOf(free, bigger.length);
    }

    /** The element at the tail, which is there from its first use until it completes. */
    private Element next() {
        int index = tail & ring.length - 1;
        Element there = ring[index];
        if (there != null) {
            return there;
        }
        Element last = freeCount == 0 ? null : free[--freeCount];
        Element taken = last != null ? last : new Element(maxSegments);
        ring[index] = taken;
        return taken;
    }

    /** Adds the prepared element. */
    Element commit() {
        return at(tail++);
    }

    /** One from the head to before the tail. */
    Element at(int number) {
        return Objects.requireNonNull(ring[number & ring.length - 1]);
    }

    int head() {
        return head;
    }

    int tail() {
        return tail;
    }

    boolean isEmpty() {
        return head == tail;
    }

    int free() {
        return capacity - (tail - head);
    }

    /** The oldest element has completed, and is not to be looked at any more. */
    void advance() {
        Element done = at(head);
        done.addressHandle = null;
        ring[head++ & ring.length - 1] = null;
        free[freeCount++] = done;
    }

    /** One posted work request. */
    static final class Element {
        private final SegmentCopy segments;
        private long wrId;
        private WorkRequestOpcode opcode = WorkRequestOpcode.SEND;
        private int flags;
        private long remoteAddress;
        private int remoteKey;
        private int immediate;
        private int remoteQueuePair;
        private int remoteQKey;
        private @Nullable RoceAddressHandle addressHandle;
        private int firstPsn;
        private int packets;
        /** RDMA READ: response packets that came. */
        private int received;

        Element(int maxSegments) {
            segments = new SegmentCopy(maxSegments);
        }

        void psns(int first, int count) {
            firstPsn = first;
            packets = count;
        }

        void countResponse() {
            received++;
        }

        long wrId() {
            return wrId;
        }

        WorkRequestOpcode opcode() {
            return opcode;
        }

        boolean isRead() {
            return opcode == WorkRequestOpcode.RDMA_READ;
        }

        /** The pass that it may leave in. */
        SendPass pass() {
            return switch (opcode) {
                case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> SendPass.DATA;
                case RDMA_READ -> SendPass.READS;
                case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> SendPass.SENDS;
            };
        }

        boolean isSignaled() {
            return (flags & SendWorkRequest.SIGNALED) != 0;
        }

        boolean isSolicited() {
            return (flags & SendWorkRequest.SOLICITED) != 0;
        }

        boolean isFenced() {
            return (flags & SendWorkRequest.FENCE) != 0;
        }

        SegmentCopy segments() {
            return segments;
        }

        long byteLength() {
            return segments.byteLength();
        }

        long remoteAddress() {
            return remoteAddress;
        }

        int remoteKey() {
            return remoteKey;
        }

        int immediate() {
            return immediate;
        }

        int remoteQueuePair() {
            return remoteQueuePair;
        }

        int remoteQKey() {
            return remoteQKey;
        }

        @Nullable
        RoceAddressHandle addressHandle() {
            return addressHandle;
        }

        int firstPsn() {
            return firstPsn;
        }

        int packets() {
            return packets;
        }

        int received() {
            return received;
        }

        WorkCompletionOpcode completionOpcode() {
            return switch (opcode) {
                case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> WorkCompletionOpcode.SEND;
                case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> WorkCompletionOpcode.RDMA_WRITE;
                case RDMA_READ -> WorkCompletionOpcode.RDMA_READ;
            };
        }
    }
}
