package io.srpt.verbs;

import java.util.Arrays;

/** Pieces of registered local memory, in order, in arrays that are used again and as long as the longest list so far. */
public final class ScatterGatherList {
    private final int capacity;
    private long[] addresses = new long[1];
    private int[] lengths = new int[1];
    private int[] localKeys = new int[1];
    private int count;
    private long byteLength;

    /** For at most {@code capacity} pieces. */
    public ScatterGatherList(int capacity) {
        this.capacity = capacity;
    }

    /** Appends {@code length} bytes at {@code address}; throws if the list is full, which is a bug of the caller. */
    public void add(long address, int length, int localKey) {
        reserve(count + 1);
        addresses[count] = address;
        lengths[count] = length;
        localKeys[count] = localKey;
        count++;
        byteLength += length;
    }

    private void reserve(int pieces) {
        if (pieces > capacity) {
            throw new IndexOutOfBoundsException(pieces + " pieces in a list of at most " + capacity);
        }
        if (pieces > addresses.length) {
            int longer = Math.min(capacity, Math.max(pieces, 2 * addresses.length));
            addresses = Arrays.copyOf(addresses, longer);
            lengths = Arrays.copyOf(lengths, longer);
            localKeys = Arrays.copyOf(localKeys, longer);
        }
    }

    /** Empties the list. */
    public void clear() {
        count = 0;
        byteLength = 0;
    }

    /** Makes this list equal to {@code other}; throws if it does not fit. */
    public void copyFrom(ScatterGatherList other) {
        reserve(other.count);
        System.arraycopy(other.addresses, 0, addresses, 0, other.count);
        System.arraycopy(other.lengths, 0, lengths, 0, other.count);
        System.arraycopy(other.localKeys, 0, localKeys, 0, other.count);
        count = other.count;
        byteLength = other.byteLength;
    }

    /** How many pieces. */
    public int count() {
        return count;
    }

    /** How many pieces fit. */
    public int capacity() {
        return capacity;
    }

    /** Bytes of all pieces. */
    public long byteLength() {
        return byteLength;
    }

    public long address(int index) {
        return addresses[index];
    }

    public int length(int index) {
        return lengths[index];
    }

    public int localKey(int index) {
        return localKeys[index];
    }
}
