package io.srpt.verbs;

/** Pieces of registered local memory, in order, in preallocated arrays. */
public final class ScatterGatherList {
    private final long[] addresses;
    private final int[] lengths;
    private final int[] localKeys;
    private int count;
    private long byteLength;

    /** For at most {@code capacity} pieces. */
    public ScatterGatherList(int capacity) {
        addresses = new long[capacity];
        lengths = new int[capacity];
        localKeys = new int[capacity];
    }

    /** Appends {@code length} bytes at {@code address}; throws if the list is full, which is a bug of the caller. */
    public void add(long address, int length, int localKey) {
        addresses[count] = address;
        lengths[count] = length;
        localKeys[count] = localKey;
        count++;
        byteLength += length;
    }

    /** Empties the list. */
    public void clear() {
        count = 0;
        byteLength = 0;
    }

    /** Makes this list equal to {@code other}; throws if it does not fit. */
    public void copyFrom(ScatterGatherList other) {
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
        return addresses.length;
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
