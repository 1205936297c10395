package io.srpt.roce;

import io.srpt.verbs.Access;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.ScatterGatherList;
import io.srpt.verbs.SharedReceiveQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Receives that wait for messages: a queue pair's own or, as a {@link SharedReceiveQueue}, of several queue pairs of one loop.
 * Those that wait are numbers in a ring; one that is taken becomes an {@link Element}, which stays valid until it is given back
 * by {@link #release}.
 *
 * <p>They take messages in the order in which they were posted or, if that does not matter, the one that was posted last first. Its
 * memory is what the processor has in its caches, and a queue pair that never had much to do has never touched the memory of
 * the others.
 */
final class ReceiveQueue implements SharedReceiveQueue {
    private final RoceProtectionDomain domain;
    private final int capacity;
    private final int maxSegments;
    private final boolean anyOrder;

    // A ring of receives, and of so many pieces for each: those without region are none.
    private final long[] wrIds;
    private final long[] addresses;
    private final int[] lengths;
    private final @Nullable RoceMemoryRegion[] regions;
    private int first;
    private int posted;

    private @Nullable Element free;

    ReceiveQueue(RoceProtectionDomain domain, int capacity, int maxSegments, boolean anyOrder) {
        this.domain = domain;
        this.capacity = capacity;
        this.maxSegments = maxSegments;
        this.anyOrder = anyOrder;
        wrIds = new long[capacity];
        addresses = new long[capacity * maxSegments];
        lengths = new int[capacity * maxSegments];
        regions = new RoceMemoryRegion[capacity * maxSegments];
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        if (posted == capacity) {
            return PostResult.QUEUE_FULL;
        }
        ScatterGatherList pieces = request.segments();
        if (pieces.count() > maxSegments) {
            return PostResult.INVALID;
        }
        int slot = slot(posted);
        Arrays.fill(regions, slot * maxSegments, (slot + 1) * maxSegments, null);
        for (int i = 0; i < pieces.count(); i++) {
            RoceMemoryRegion region = domain.local(pieces, i, Access.LOCAL_WRITE);
            if (region == null) {
                return PostResult.INVALID;
            }
            int at = slot * maxSegments + i;
            addresses[at] = pieces.address(i);
            lengths[at] = pieces.length(i);
            regions[at] = region;
        }
        wrIds[slot] = request.wrId();
        posted++;
        return PostResult.OK;
    }

    /** Where the receive is that {@code number} others are before. */
    private int slot(int number) {
        int slot = first + number;
        return slot < capacity ? slot : slot - capacity;
    }

    @Override
    public int posted() {
        return posted;
    }

    /** The next receive, or null if none is posted. */
    @Nullable
    Element take() {
        if (posted == 0) {
            return null;
        }
        posted--;
        if (anyOrder) {
            return element(slot(posted));
        }
        Element element = element(first);
        first = slot(1);
        return element;
    }

    private Element element(int slot) {
        Element element = free;
        if (element == null) {
            element = new Element(maxSegments);
        } else {
            free = element.next;
        }
        element.wrId = wrIds[slot];
        element.segments.clear();
        for (int i = slot * maxSegments, end = i + maxSegments; i < end; i++) {
            RoceMemoryRegion region = regions[i];
            if (region != null) {
                element.segments.add(addresses[i], lengths[i], region);
            }
        }
        return element;
    }

    /** Gives an element back after its completion was added. */
    void release(Element element) {
        element.next = free;
        free = element;
    }

    @Override
    public void close() {
        posted = 0;
    }

    /** One receive that was taken. */
    static final class Element {
        private final SegmentCopy segments;
        private long wrId;
        private @Nullable Element next;

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
