package io.srpt.roce;

import io.srpt.verbs.Access;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SharedReceiveQueue;
import org.jspecify.annotations.Nullable;

/**
 * Receives that wait for messages: a queue pair's own or, as a {@link SharedReceiveQueue}, of several queue pairs of one loop.
 * Elements are made when they are needed first and used again; one that was taken stays valid until it is given back by
 * {@link #release}.
 *
 * <p>They take messages in the order in which they were posted or, if that does not matter, the one that was posted last first. Its
 * memory, and its element, are those that the processor has in its caches, and a queue pair that never had much to do has
 * never touched the memory of the others.
 */
final class ReceiveQueue implements SharedReceiveQueue {
    private final RoceProtectionDomain domain;
    private final Element[] ring;
    /** The first {@code freeCount} are there; what was given back last is used first. */
    private final Element[] free;

    private final int capacity;
    private final int maxSegments;
    private final boolean anyOrder;
    private int made;
    private int freeCount;
    private int head;
    private int tail;

    ReceiveQueue(RoceProtectionDomain domain, int capacity, int maxSegments, boolean anyOrder) {
        this.domain = domain;
        this.capacity = capacity;
        this.maxSegments = maxSegments;
        this.anyOrder = anyOrder;
        int size = Integer.highestOneBit(Math.max(2, capacity) - 1) << 1;
        ring = new Element[size];
        free = new Element[size];
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        if (tail - head >= capacity) {
            return PostResult.QUEUE_FULL;
        }
        if (freeCount == 0) {
            if (made == ring.length) {
                return PostResult.QUEUE_FULL;
            }
            made++;
            free[freeCount++] = new Element(maxSegments);
        }
        Element element = free[freeCount - 1];
        if (!element.segments.load(request.segments(), domain, Access.LOCAL_WRITE)) {
            return PostResult.INVALID;
        }
        element.wrId = request.wrId();
        freeCount--;
        ring[tail++ & ring.length - 1] = element;
        return PostResult.OK;
    }

    @Override
    public int posted() {
        return tail - head;
    }

    /** The next receive, or null if none is posted. */
    @Nullable
    Element take() {
        if (head == tail) {
            return null;
        }
        return ring[(anyOrder ? --tail : head++) & ring.length - 1];
    }

    /** Gives an element back after its completion was added. */
    void release(Element element) {
        free[freeCount++] = element;
    }

    @Override
    public void close() {
        head = tail;
    }

    /** One posted receive. */
    static final class Element {
        private final SegmentCopy segments;
        private long wrId;

        Element(int maxSegments) {
            segments = new SegmentCopy(maxSegments);
        }

        long wrId() {
            return wrId;
        }

        SegmentCopy segments() {
            return segments;
        }
    }
}
