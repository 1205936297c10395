package io.srpt.store;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.srpt.memory.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory outside the Java heap. Completes inline; what it holds is gone when it is closed.
 *
 * <p>What was never written, or was unmapped, costs nothing and reads as zeros; the system gets memory back by pages of
 * 4096 bytes. Whether the whole disk would fit is checked when it is opened or grown, because a disk that breaks half full
 * helps nobody; should memory run out all the same, the write ends with {@link StoreStatus#NO_SPACE}.
 *
 * <p>Reported as having no write cache: a flush could add nothing.
 */
public final class MemoryStore implements BlockStore {
    static final int CHUNK_BYTES = MemoryChunk.BYTES;
    private static final int CHUNK_MASK = CHUNK_BYTES - 1;
    private static final int SECTOR_BYTES = 512;

    /** What an operation does to the part of a range that lies in one chunk. */
    private enum Change {
        UNMAP,
        ZERO
    }

    private final boolean readOnly;
    private final Arena arena = Arena.ofShared();
    private final LongAdder sectors = new LongAdder();
    private volatile AtomicReferenceArray<@Nullable MemoryChunk> chunks;
    private volatile long size;
    private volatile CapacityListener capacityListener = bytes -> {};
    /** Asked for while disks are written to: made anew only when it changes. */
    private volatile StoreUsage usage = StoreUsage.NOT_KNOWN;

    private volatile boolean closed;

    private MemoryStore(long size, boolean readOnly) {
        this.size = size;
        this.readOnly = readOnly;
        this.chunks = new AtomicReferenceArray<>(chunkCount(size));
    }

    /**
     * A store of {@code size} bytes, all zero.
     *
     * @throws StoreException if the size is not positive or exceeds what this JVM may take outside its heap
     */
    public static MemoryStore open(long size) throws StoreException {
        return open(size, false);
    }

    static MemoryStore open(long size, boolean readOnly) throws StoreException {
        if (size <= 0) {
            throw new StoreException("memory:" + size + ": the size must be positive; give one such as memory:64MiB");
        }
        long limit = directMemoryLimit();
        if (size > limit) {
            throw new StoreException("memory:" + ByteSize.format(size) + " does not fit: this JVM may take "
                    + ByteSize.format(limit)
                    + " outside its heap; choose a smaller disk, a file: store, or start Java with"
                    + " -XX:MaxDirectMemorySize=" + (size / (1 << 20) + 256) + "m");
        }
        return new MemoryStore(size, readOnly);
    }

    private static long directMemoryLimit() {
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long limit = bean == null
                ? 0
                : Long.parseLong(bean.getVMOption("MaxDirectMemorySize").getValue());
        return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    }

    private static int chunkCount(long size) {
        return (int) (size + CHUNK_MASK >>> MemoryChunk.SHIFT);
    }

    @Override
    public long sizeBytes() {
        return size;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public boolean writeCacheEnabled() {
        return false;
    }

    @Override
    public boolean thin() {
        return true;
    }

    /** Space is accounted by 512 bytes, but only whole pages go back to the system. */
    @Override
    public int unmapGranularity() {
        return NativeMemory.PAGE_BYTES;
    }

    @Override
    public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
        done.onStoreDone(tryRead(offset, segments, count), offset);
    }

    @Override
    public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
        done.onStoreDone(tryWrite(offset, segments, count), offset);
    }

    @Override
    public void flush(StoreCompletion done) {
        done.onStoreDone(closed ? StoreStatus.NOT_READY : StoreStatus.OK, 0);
    }

    @Override
    public void unmap(long offset, long length, boolean fua, StoreCompletion done) {
        done.onStoreDone(tryChange(Change.UNMAP, offset, length), offset);
    }

    @Override
    public void writeZeroes(long offset, long length, boolean mayUnmap, boolean fua, StoreCompletion done) {
        done.onStoreDone(tryChange(mayUnmap ? Change.UNMAP : Change.ZERO, offset, length), offset);
    }

    private StoreStatus check(boolean change, long offset, long length) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        if (change && readOnly) {
            return StoreStatus.WRITE_PROTECTED;
        }
        return Segments.inside(offset, length, size) ? StoreStatus.OK : StoreStatus.OUT_OF_RANGE;
    }

    private StoreStatus tryRead(long offset, ByteBuffer[] segments, int count) {
        StoreStatus checked = check(false, offset, Segments.length(segments, count));
        if (checked != StoreStatus.OK) {
            return checked;
        }
        try {
            long at = offset;
            for (int i = 0; i < count; i++) {
                readSegment(at, segments[i]);
                at += segments[i].remaining();
            }
            return StoreStatus.OK;
        } catch (IllegalStateException closedMeanwhile) {
            return StoreStatus.NOT_READY;
        }
    }

    private void readSegment(long offset, ByteBuffer segment) {
        long at = offset;
        for (int to = segment.position(); to < segment.limit(); ) {
            int inChunk = (int) (at & CHUNK_MASK);
            int length = Math.min(segment.limit() - to, CHUNK_BYTES - inChunk);
            MemoryChunk chunk = chunkAt(at);
            if (chunk == null) {
                Segments.zero(segment, to, length);
            } else {
                chunk.read(inChunk, segment, to, length);
            }
            to += length;
            at += length;
        }
    }

    private StoreStatus tryWrite(long offset, ByteBuffer[] segments, int count) {
        StoreStatus checked = check(true, offset, Segments.length(segments, count));
        if (checked != StoreStatus.OK) {
            return checked;
        }
        try {
            long at = offset;
            for (int i = 0; i < count; i++) {
                writeSegment(at, segments[i]);
                at += segments[i].remaining();
            }
            return StoreStatus.OK;
        } catch (IllegalStateException closedMeanwhile) {
            return StoreStatus.NOT_READY;
        } catch (OutOfMemoryError exhausted) {
            return StoreStatus.NO_SPACE;
        }
    }

    private void writeSegment(long offset, ByteBuffer segment) {
        long at = offset;
        for (int from = segment.position(); from < segment.limit(); ) {
            int inChunk = (int) (at & CHUNK_MASK);
            int length = Math.min(segment.limit() - from, CHUNK_BYTES - inChunk);
            madeChunkAt(at).write(inChunk, segment, from, length);
            from += length;
            at += length;
        }
    }

    private StoreStatus tryChange(Change change, long offset, long length) {
        StoreStatus checked = check(true, offset, length);
        if (checked != StoreStatus.OK) {
            return checked;
        }
        try {
            long end = offset + length;
            for (long at = offset; at < end; ) {
                int inChunk = (int) (at & CHUNK_MASK);
                int part = (int) Math.min(end - at, CHUNK_BYTES - inChunk);
                change(change, at, inChunk, part);
                at += part;
            }
            return StoreStatus.OK;
        } catch (IllegalStateException closedMeanwhile) {
            return StoreStatus.NOT_READY;
        } catch (OutOfMemoryError exhausted) {
            return StoreStatus.NO_SPACE;
        }
    }

    private void change(Change change, long at, int inChunk, int length) {
        if (change == Change.ZERO) {
            madeChunkAt(at).zero(inChunk, length);
            return;
        }
        MemoryChunk chunk = chunkAt(at);
        if (chunk != null) {
            chunk.unmap(inChunk, length);
        }
    }

    @Override
    public void allocation(long offset, long length, AllocationCompletion done) {
        StoreStatus checked = length > 0 ? check(false, offset, length) : StoreStatus.OUT_OF_RANGE;
        if (checked != StoreStatus.OK) {
            done.onAllocation(checked, true, length);
            return;
        }
        boolean allocated = allocatedAt(offset);
        long end = offset + length;
        long at = endOfRun(offset);
        while (at < end && allocatedAt(at) == allocated) {
            at = endOfRun(at);
        }
        done.onAllocation(StoreStatus.OK, allocated, Math.min(at, end) - offset);
    }

    private boolean allocatedAt(long at) {
        MemoryChunk chunk = chunkAt(at);
        return chunk != null && chunk.isAllocated((int) (at & CHUNK_MASK));
    }

    /** Where the run of {@code at} ends, as seen in its chunk. */
    private long endOfRun(long at) {
        MemoryChunk chunk = chunkAt(at);
        int end = chunk == null ? CHUNK_BYTES : chunk.endOfRun((int) (at & CHUNK_MASK));
        return (at & ~(long) CHUNK_MASK) + end;
    }

    @Override
    public StoreUsage usage() {
        long allocated = Math.min(sectors.sum() * SECTOR_BYTES, size);
        StoreUsage now = usage;
        if (now.allocatedBytes() != allocated) {
            now = new StoreUsage(allocated, StoreUsage.UNKNOWN);
            usage = now;
        }
        return now;
    }

    @Override
    public void grow(long sizeBytes, StoreCompletion done) {
        StoreStatus status = tryGrow(sizeBytes);
        done.onStoreDone(status, 0);
    }

    private synchronized StoreStatus tryGrow(long sizeBytes) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        if (sizeBytes < size) {
            return StoreStatus.OUT_OF_RANGE;
        }
        if (sizeBytes > directMemoryLimit()) {
            return StoreStatus.NO_SPACE;
        }
        if (sizeBytes > size) {
            AtomicReferenceArray<@Nullable MemoryChunk> old = chunks;
            AtomicReferenceArray<@Nullable MemoryChunk> larger = new AtomicReferenceArray<>(chunkCount(sizeBytes));
            for (int i = 0; i < old.length(); i++) {
                larger.set(i, old.get(i));
            }
            chunks = larger;
            size = sizeBytes;
            capacityListener.onCapacityChanged(sizeBytes);
        }
        return StoreStatus.OK;
    }

    @Override
    public void onCapacityChange(CapacityListener listener) {
        capacityListener = listener;
    }

    private @Nullable MemoryChunk chunkAt(long offset) {
        return chunks.getAcquire((int) (offset >>> MemoryChunk.SHIFT));
    }

    private MemoryChunk madeChunkAt(long offset) {
        MemoryChunk chunk = chunkAt(offset);
        return chunk != null ? chunk : allocate((int) (offset >>> MemoryChunk.SHIFT));
    }

    /** Under the lock that {@link #tryGrow} holds while it copies the table, so that no chunk gets lost. */
    private synchronized MemoryChunk allocate(int index) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        MemoryChunk chunk = chunks.getAcquire(index);
        if (chunk == null) {
            chunk = new MemoryChunk(arena, sectors);
            chunks.setRelease(index, chunk);
        }
        return chunk;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (true) {
            try {
                arena.close();
                return;
            } catch (IllegalStateException pagesAreJustGivenBack) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public String toString() {
        return "memory:" + ByteSize.format(size);
    }
}
