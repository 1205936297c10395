package io.srpt.store;

import io.srpt.memory.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * A piece of a {@link MemoryStore} with one bit per 512 bytes that says whether they are allocated.
 *
 * <p>What is not allocated is zero. Memory goes back to the system by whole pages, and only those that one {@link #unmap}
 * covers: a page that several ones emptied could be written to by another thread just then. No locks; bits change
 * atomically, and nobody else is at the bytes of an operation.
 */
final class MemoryChunk {
    static final int SHIFT = 20;
    static final int BYTES = 1 << SHIFT;
    private static final int SECTOR_SHIFT = 9;
    private static final int SECTOR_BYTES = 1 << SECTOR_SHIFT;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private final long[] allocated = new long[BYTES >>> SECTOR_SHIFT >>> 6];
    private final LongAdder sectors;

    /** @param sectors counts the allocated sectors of the whole store */
    MemoryChunk(Arena arena, LongAdder sectors) {
        this.memory = NativeMemory.reserve(BYTES, arena);
        this.bytes = memory.asByteBuffer();
        this.sectors = sectors;
    }

    void read(int from, ByteBuffer to, int position, int length) {
        to.put(position, bytes, from, length);
    }

    void write(int to, ByteBuffer from, int position, int length) {
        mark(to, length);
        bytes.put(to, from, position, length);
    }

    /** Zeros that stay allocated. */
    void zero(int from, int length) {
        mark(from, length);
        Segments.zero(bytes, from, length);
    }

    void unmap(int from, int length) {
        unmark(from, length);
        int end = from + length;
        int firstPage = roundUp(from, NativeMemory.PAGE_BYTES);
        int lastPage = end & -NativeMemory.PAGE_BYTES;
        if (firstPage >= lastPage) {
            Segments.zero(bytes, from, length);
            return;
        }
        Segments.zero(bytes, from, firstPage - from);
        if (!NativeMemory.discard(memory.asSlice(firstPage, lastPage - firstPage))) {
            Segments.zero(bytes, firstPage, lastPage - firstPage);
        }
        Segments.zero(bytes, lastPage, end - lastPage);
    }

    boolean isAllocated(int at) {
        int sector = at >>> SECTOR_SHIFT;
        return ((long) WORD.getAcquire(allocated, sector >>> 6) & 1L << sector) != 0;
    }

    /** The first place behind {@code at} where {@link #isAllocated} changes; the length of a chunk when none does. */
    int endOfRun(int at) {
        boolean kind = isAllocated(at);
        int sector = at >>> SECTOR_SHIFT;
        while (sector < BYTES >>> SECTOR_SHIFT) {
            long word = (long) WORD.getAcquire(allocated, sector >>> 6);
            long different = (kind ? ~word : word) >>> sector;
            if (different != 0) {
                return sector + Long.numberOfTrailingZeros(different) << SECTOR_SHIFT;
            }
            sector = (sector | 63) + 1;
        }
        return BYTES;
    }

    /** Sets the bits of all sectors that {@code [from, from + length)} touches. */
    private void mark(int from, int length) {
        int end = from + length + SECTOR_BYTES - 1 >>> SECTOR_SHIFT;
        for (int sector = from >>> SECTOR_SHIFT; sector < end; sector = (sector | 63) + 1) {
            long mask = mask(sector, end);
            if (((long) WORD.getAcquire(allocated, sector >>> 6) & mask) != mask) {
                long before = (long) WORD.getAndBitwiseOr(allocated, sector >>> 6, mask);
                sectors.add(Long.bitCount(mask & ~before));
            }
        }
    }

    /** Clears the bits of all sectors that lie in {@code [from, from + length)}. */
    private void unmark(int from, int length) {
        int end = from + length >>> SECTOR_SHIFT;
        for (int sector = roundUp(from, SECTOR_BYTES) >>> SECTOR_SHIFT; sector < end; sector = (sector | 63) + 1) {
            long mask = mask(sector, end);
            long before = (long) WORD.getAndBitwiseAnd(allocated, sector >>> 6, ~mask);
            sectors.add(-Long.bitCount(mask & before));
        }
    }

    /** The bits of the sectors from {@code sector} up to {@code end} that are in one word with {@code sector}. */
    private static long mask(int sector, int end) {
        int count = Math.min(end - sector, 64 - (sector & 63));
        return -1L >>> 64 - count << sector;
    }

    private static int roundUp(int value, int unit) {
        return value + unit - 1 & -unit;
    }
}
