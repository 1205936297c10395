package io.srpt.time;

import java.util.Arrays;

/**
 * A binary heap of {@link Deadline}s ordered by due time. Each deadline knows its place, so that moving and cancelling
 * cost O(log n) and nothing is allocated but the heap's growth.
 *
 * <p>Threads: one owner.
 */
public final class DeadlineQueue {
    /** Returned by {@link #earliestNanos(long)} when nothing is armed. */
    public static final long NONE = Long.MAX_VALUE;

    private Deadline[] heap = new Deadline[16];
    private int size;

    /** Arms {@code deadline} for {@code atNanos}, moving it if it is armed already. */
    public void schedule(Deadline deadline, long atNanos) {
        deadline.atNanos = atNanos;
        if (deadline.isArmed()) {
            siftDown(siftUp(deadline.heapIndex));
            return;
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        place(deadline, size++);
        siftUp(deadline.heapIndex);
    }

    /** Disarms {@code deadline}; nothing happens if it is not armed. */
    @SuppressWarnings("NullAway") // a vacated heap slot is null
    public void cancel(Deadline deadline) {
        int index = deadline.heapIndex;
        if (index == Deadline.NOT_QUEUED) {
            return;
        }
        deadline.heapIndex = Deadline.NOT_QUEUED;
        Deadline last = heap[--size];
        heap[size] = null;
        if (last != deadline) {
            place(last, index);
            siftDown(siftUp(index));
        }
    }

    /** How many deadlines are armed. */
    public int size() {
        return size;
    }

    /** Nanoseconds from {@code now} to the earliest deadline, 0 if it is due, {@link #NONE} if nothing is armed. */
    public long earliestNanos(long now) {
        return size == 0 ? NONE : Math.max(0, heap[0].atNanos - now);
    }

    /** Fires every deadline that is due at {@code now}, earliest first. Returns how many fired. */
    public int fireDue(long now) {
        int fired = 0;
        while (size > 0 && heap[0].atNanos - now <= 0) {
            Deadline due = heap[0];
            cancel(due);
            due.onDeadline();
            fired++;
        }
        return fired;
    }

    private int siftUp(int start) {
        int index = start;
        Deadline moving = heap[index];
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (heap[parent].atNanos - moving.atNanos <= 0) {
                break;
            }
            place(heap[parent], index);
            index = parent;
        }
        place(moving, index);
        return index;
    }

    private void siftDown(int start) {
        int index = start;
        Deadline moving = heap[index];
        while (true) {
            int child = 2 * index + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && heap[child + 1].atNanos - heap[child].atNanos < 0) {
                child++;
            }
            if (moving.atNanos - heap[child].atNanos <= 0) {
                break;
            }
            place(heap[child], index);
            index = child;
        }
        place(moving, index);
    }

    private void place(Deadline deadline, int index) {
        heap[index] = deadline;
        deadline.heapIndex = index;
    }
}
