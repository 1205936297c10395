package io.srpt.store;

import java.nio.ByteBuffer;

/**
 * A disk that forgets what is written to it and reads as zeros: what is left of the time of a command is that of the target
 * and the network. Completes inline; any thread may call.
 */
public final class NullStore implements BlockStore {
    private final long size;
    private volatile boolean closed;

    /** @param size bytes, positive */
    public NullStore(long size) {
        if (size <= 0) {
            throw new IllegalArgumentException("size " + size + " must be positive");
        }
        this.size = size;
    }

    @Override
    public long sizeBytes() {
        return size;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public boolean writeCacheEnabled() {
        return false;
    }

    @Override
    public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
        StoreStatus status = check(offset, Segments.length(segments, count));
        for (int i = 0; i < count && status == StoreStatus.OK; i++) {
            Segments.zero(segments[i], segments[i].position(), segments[i].remaining());
        }
        done.onStoreDone(status, offset);
    }

    @Override
    public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
        done.onStoreDone(check(offset, Segments.length(segments, count)), offset);
    }

    @Override
    public void writeZeroes(long offset, long length, boolean mayUnmap, boolean fua, StoreCompletion done) {
        done.onStoreDone(check(offset, length), offset);
    }

    @Override
    public void flush(StoreCompletion done) {
        done.onStoreDone(check(0, 0), 0);
    }

    private StoreStatus check(long offset, long length) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        return Segments.inside(offset, length, size) ? StoreStatus.OK : StoreStatus.OUT_OF_RANGE;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "null:" + ByteSize.format(size);
    }
}
