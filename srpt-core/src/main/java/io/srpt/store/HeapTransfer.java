package io.srpt.store;

import java.nio.ByteBuffer;

/** Takes a transfer with buffers on the heap through one outside of it, which alone the kernel can be given. */
final class HeapTransfer implements StoreCompletion {
    private final ByteBuffer[] segments;
    private final int count;
    private final StoreCompletion done;
    private final ByteBuffer[] copy;
    private boolean read;

    HeapTransfer(ByteBuffer[] segments, int count, long length, StoreCompletion done) {
        this.segments = segments;
        this.count = count;
        this.done = done;
        this.copy = new ByteBuffer[] {ByteBuffer.allocateDirect(Math.toIntExact(length))};
    }

    void read(FileStore store, long offset) {
        read = true;
        store.read(offset, copy, 1, this);
    }

    void write(FileStore store, long offset, boolean fua) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            copy[0].put(at, segments[i], segments[i].position(), segments[i].remaining());
            at += segments[i].remaining();
        }
        store.write(offset, copy, 1, fua, this);
    }

    @Override
    public void onStoreDone(StoreStatus status, long errorOffset) {
        int at = 0;
        for (int i = 0; i < count && read && status == StoreStatus.OK; i++) {
            segments[i].put(segments[i].position(), copy[0], at, segments[i].remaining());
            at += segments[i].remaining();
        }
        done.onStoreDone(status, errorOffset);
    }
}
