package io.srpt.roce;

import io.srpt.verbs.Access;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkRequestOpcode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Posted sends, RDMA WRITEs and READs in order, in a ring of elements that are used again. The ring begins small and grows up
 * to the capacity when so many are posted. Elements are numbered without end; {@link #head} is the oldest that has not
 * completed, {@link #tail} the next to be posted.
 */
final class SendQueue {
    private static final int INITIAL_LENGTH = 8;

    private final RoceProtectionDomain domain;
    private final int capacity;
    private final int maxSegments;
    private Element[] ring;
    private int head;
    private int tail;

    SendQueue(RoceProtectionDomain domain, int capacity, int maxSegments) {
        this.domain = domain;
        this.capacity = capacity;
        this.maxSegments = maxSegments;
        ring = new Element[INITIAL_LENGTH];
        Arrays.setAll(ring, i -> new Element(maxSegments));
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
        Element element = at(tail);
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
        Element[] bigger = new Element[ring.length * 2];
        for (int i = 0; i < bigger.length; i++) {
            // The numbers from the head on: first those that are there, then new ones.
            bigger[head + i & bigger.length - 1] = i < ring.length ? at(head + i) : new Element(maxSegments);
        }
        ring = bigger;
    }

    /** Adds the prepared element. */
    Element commit() {
        return at(tail++);
    }

    Element at(int number) {
        return ring[number & ring.length - 1];
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

    /** The oldest element has completed. */
    void advance() {
        at(head).addressHandle = null;
        head++;
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
