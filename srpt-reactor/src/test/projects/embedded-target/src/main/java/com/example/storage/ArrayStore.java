package com.example.storage;

import io.srpt.store.BlockStore;
import io.srpt.store.Segments;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;

/** A disk in an array; everything beyond reading and writing is left to the defaults. */
public final class ArrayStore implements BlockStore {
    private final byte[] bytes;
    private volatile boolean closed;

    public ArrayStore(int size) {
        bytes = new byte[size];
    }

    @Override
    public long sizeBytes() {
        return bytes.length;
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
        int at = (int) offset;
        for (int i = 0; i < count && status == StoreStatus.OK; i++) {
            segments[i].put(segments[i].position(), bytes, at, segments[i].remaining());
            at += segments[i].remaining();
        }
        done.onStoreDone(status, offset);
    }

    @Override
    public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
        StoreStatus status = check(offset, Segments.length(segments, count));
        int at = (int) offset;
        for (int i = 0; i < count && status == StoreStatus.OK; i++) {
            segments[i].get(segments[i].position(), bytes, at, segments[i].remaining());
            at += segments[i].remaining();
        }
        done.onStoreDone(status, offset);
    }

    @Override
    public void flush(StoreCompletion done) {
        done.onStoreDone(check(0, 0), 0);
    }

    private StoreStatus check(long offset, long length) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        return Segments.inside(offset, length, bytes.length) ? StoreStatus.OK : StoreStatus.OUT_OF_RANGE;
    }

    @Override
    public void close() {
        closed = true;
    }
}
