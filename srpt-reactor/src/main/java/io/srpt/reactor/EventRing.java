package io.srpt.reactor;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of many producers and one consumer at a time. Neither end ever waits for a lock.
 *
 * <p>Threads: {@link #offer} from anywhere; {@link #poll} from one thread at a time.
 */
final class EventRing {
    private final AtomicReferenceArray<@Nullable Object> slots;
    private final int mask;
    private final int capacity;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();

    EventRing(int capacity) {
        this.capacity = capacity;
        int length = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        slots = new AtomicReferenceArray<>(length);
        mask = length - 1;
    }

    /** Adds {@code event}; false if the ring is full. */
    boolean offer(Object event) {
        long at = tail.get();
        while (true) {
            if (at - head.get() >= capacity) {
                return false;
            }
            long seen = tail.compareAndExchange(at, at + 1);
            if (seen == at) {
                slots.setRelease((int) at & mask, event);
                return true;
            }
            at = seen;
        }
    }

    /** The oldest event; null if there is none, or its producer is about to put it there and will say so. */
    @Nullable Object poll() {
        long at = head.get();
        Object event = slots.getAcquire((int) at & mask);
        if (event != null) {
            slots.setRelease((int) at & mask, null);
            head.setRelease(at + 1);
        }
        return event;
    }

    /** Whether {@link #poll} would find nothing. */
    boolean isEmpty() {
        return slots.getAcquire((int) head.get() & mask) == null;
    }
}
