package io.srpt.disni.provider;

/** What is posted to a queue that completes in order. A completion frees its slot and all before it. */
final class PostedRing {
    private final long[] wrIds;
    private final long[] memory;
    private int head;
    private int count;

    PostedRing(int capacity) {
        wrIds = new long[capacity];
        memory = new long[capacity];
    }

    boolean isFull() {
        return count == wrIds.length;
    }

    int free() {
        return wrIds.length - count;
    }

    /** The slot of the next request. */
    int next() {
        int slot = head + count;
        return slot < wrIds.length ? slot : slot - wrIds.length;
    }

    /** The next slot is taken by the poster's request {@code wrId}. */
    void post(long wrId) {
        wrIds[next()] = wrId;
        count++;
    }

    long wrId(int slot) {
        return wrIds[slot];
    }

    /** Remembers where a datagram will be. */
    void memory(int slot, long address) {
        memory[slot] = address;
    }

    long memory(int slot) {
        return memory[slot];
    }

    void completeUpTo(int slot) {
        int before = slot - head;
        count -= (before < 0 ? before + wrIds.length : before) + 1;
        head = slot + 1 < wrIds.length ? slot + 1 : 0;
    }
}
