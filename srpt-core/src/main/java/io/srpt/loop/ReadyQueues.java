package io.srpt.loop;

import io.srpt.verbs.CompletionQueue;
import org.jspecify.annotations.Nullable;

/**
 * Completion queues that have announced entries, in a ring: first come, first polled, so that what a turn costs depends on the
 * queues that have something, not on those that there are.
 *
 * <p>Threads: the loop.
 */
final class ReadyQueues {
    private static final int INITIAL_LENGTH = 16;

    private @Nullable CompletionQueue[] ring = new CompletionQueue[INITIAL_LENGTH];
    private int head;
    private int tail;

    void add(CompletionQueue queue) {
        if (tail - head == ring.length) {
            grow();
        }
        ring[tail++ & ring.length - 1] = queue;
    }

    private void grow() {
        @Nullable CompletionQueue[] bigger = new CompletionQueue[ring.length * 2];
        for (int i = head; i != tail; i++) {
            bigger[i & bigger.length - 1] = ring[i & ring.length - 1];
        }
        ring = bigger;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** How many there are, those that were removed included. */
    int size() {
        return tail - head;
    }

    /** The one that waits longest; null if it was removed. There must be one. */
    @Nullable
    CompletionQueue take() {
        int index = head++ & ring.length - 1;
        CompletionQueue queue = ring[index];
        ring[index] = null;
        return queue;
    }

    /** Forgets {@code queue}; its place stays, so that nobody's turn is missed. */
    void remove(CompletionQueue queue) {
        for (int i = head; i != tail; i++) {
            if (ring[i & ring.length - 1] == queue) {
                ring[i & ring.length - 1] = null;
            }
        }
    }
}
