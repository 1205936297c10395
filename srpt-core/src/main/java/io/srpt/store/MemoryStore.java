package io.srpt.store;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory outside the Java heap. Completes inline; what it holds is gone when it is closed.
 *
 * <p>Memory is taken in chunks of 1 MiB at the first write to each; a chunk that was never written reads as zeros and costs
 * nothing. Whether the whole disk would fit is checked when it is opened, because a disk that breaks half full helps
 * nobody; should memory run out all the same, the write ends with {@link StoreStatus#NO_SPACE}.
 *
 * <p>Reported as having no write cache: a flush could add nothing.
 */
public final class MemoryStore implements BlockStore {
    static final int CHUNK_SHIFT = 20;
    static final int CHUNK_BYTES = 1 << CHUNK_SHIFT;
    private static final int CHUNK_MASK = CHUNK_BYTES - 1;
    private static final long PAGE_BYTES = 4096;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 * 1024).asReadOnlyBuffer();

    private final long size;
    private final boolean readOnly;
    private final Arena arena = Arena.ofShared();
    private final AtomicReferenceArray<@Nullable ByteBuffer> chunks;
    private volatile boolean closed;

    private MemoryStore(long size, boolean readOnly) {
        this.size = size;
        this.readOnly = readOnly;
        this.chunks = new AtomicReferenceArray<>((int) ((size + CHUNK_MASK) >>> CHUNK_SHIFT));
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

    private StoreStatus tryRead(long offset, ByteBuffer[] segments, int count) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        if (!Segments.inside(offset, Segments.length(segments, count), size)) {
            return StoreStatus.OUT_OF_RANGE;
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
            ByteBuffer chunk = chunks.getAcquire((int) (at >>> CHUNK_SHIFT));
            if (chunk == null) {
                zero(segment, to, length);
            } else {
                segment.put(to, chunk, inChunk, length);
            }
            to += length;
            at += length;
        }
    }

    private static void zero(ByteBuffer segment, int position, int length) {
        for (int done = 0; done < length; ) {
            int step = Math.min(length - done, ZEROS.capacity());
            segment.put(position + done, ZEROS, 0, step);
            done += step;
        }
    }

    private StoreStatus tryWrite(long offset, ByteBuffer[] segments, int count) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        if (readOnly) {
            return StoreStatus.WRITE_PROTECTED;
        }
        if (!Segments.inside(offset, Segments.length(segments, count), size)) {
            return StoreStatus.OUT_OF_RANGE;
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
            chunk((int) (at >>> CHUNK_SHIFT)).put(inChunk, segment, from, length);
            from += length;
            at += length;
        }
    }

    private ByteBuffer chunk(int index) {
        ByteBuffer chunk = chunks.getAcquire(index);
        return chunk != null ? chunk : allocate(index);
    }

    private synchronized ByteBuffer allocate(int index) {
        ByteBuffer chunk = chunks.getAcquire(index);
        if (chunk == null) {
            long bytes = Math.min(CHUNK_BYTES, size - ((long) index << CHUNK_SHIFT));
            chunk = arena.allocate(bytes, PAGE_BYTES).asByteBuffer();
            chunks.setRelease(index, chunk);
        }
        return chunk;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            arena.close();
        }
    }

    @Override
    public String toString() {
        return "memory:" + ByteSize.format(size);
    }
}
