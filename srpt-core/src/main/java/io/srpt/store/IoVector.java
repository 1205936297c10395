package io.srpt.store;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Where the bytes of one system call are: an array of {@code struct iovec} (base address, length; 8 bytes each), filled
 * anew for each call. The buffers must be direct, and be kept reachable by whoever filled them in.
 */
final class IoVector {
    /** {@code IOV_MAX}; what a list has beyond is left for the next call. */
    private static final int MAX_ENTRIES = 1024;

    private static final int INITIAL_ENTRIES = 16;
    private static final int ENTRY_BYTES = 16;
    private static final int LENGTH = 8;
    private static final long ZEROS_ADDRESS =
            MemorySegment.ofBuffer(ZeroFill.ZEROS).address();

    private MemorySegment entries = allocate(INITIAL_ENTRIES);
    private int count;
    private long bytes;
    private long bits;

    private static MemorySegment allocate(int entries) {
        return Arena.ofAuto().allocate((long) entries * ENTRY_BYTES, 8);
    }

    /** Takes the bytes of {@code segments[0..segmentCount)} behind the first {@code skip} ones. */
    void fill(ByteBuffer[] segments, int segmentCount, long skip) {
        clear(Math.min(segmentCount, MAX_ENTRIES));
        long toSkip = skip;
        for (int i = 0; i < segmentCount && count < MAX_ENTRIES; i++) {
            int length = segments[i].remaining();
            if (toSkip >= length) {
                toSkip -= length;
            } else {
                // The segment object does not leave this method, so the compiler makes none.
                add(MemorySegment.ofBuffer(segments[i]).address() + toSkip, length - toSkip);
                toSkip = 0;
            }
        }
    }

    /** Takes {@code length} zeros to be written, or as many as fit. */
    void fillZeros(long length) {
        int wanted = (int) Math.min(MAX_ENTRIES, (length - 1) / ZeroFill.ZEROS.capacity() + 1);
        clear(Math.min(wanted, INITIAL_ENTRIES));
        while (bytes < length && count < INITIAL_ENTRIES) {
            add(ZEROS_ADDRESS, Math.min(length - bytes, ZeroFill.ZEROS.capacity()));
        }
    }

    private void clear(int wanted) {
        if ((long) wanted * ENTRY_BYTES > entries.byteSize()) {
            entries = allocate(wanted);
        }
        count = 0;
        bytes = 0;
        bits = 0;
    }

    private void add(long address, long length) {
        long at = (long) count * ENTRY_BYTES;
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_LONG, at + LENGTH, length);
        count++;
        bytes += length;
        bits |= address | length;
    }

    /** The array, for the system call. */
    MemorySegment entries() {
        return entries;
    }

    int count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** Whether all addresses and lengths are multiples of {@code unit}, a power of two. */
    boolean isAligned(int unit) {
        return (bits & unit - 1) == 0;
    }

    /** Whatever an entry points to, for implementations of {@link FileCalls} that do not call the kernel. */
    MemorySegment memory(int entry) {
        long at = (long) entry * ENTRY_BYTES;
        return MemorySegment.ofAddress(entries.get(JAVA_LONG, at)).reinterpret(entries.get(JAVA_LONG, at + LENGTH));
    }
}
