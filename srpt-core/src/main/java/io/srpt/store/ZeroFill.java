package io.srpt.store;

import java.nio.ByteBuffer;

/** Writes zeros over a range part by part, for stores that have nothing better. One object per range. */
final class ZeroFill implements StoreCompletion {
    /** Read-only zeros for any thread to duplicate or to copy from by index. */
    static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 * 1024).asReadOnlyBuffer();

    private final BlockStore store;
    private final boolean fua;
    private final StoreCompletion done;
    private final long end;
    private final ByteBuffer[] segments = {ZEROS.duplicate()};
    private long next;
    private boolean inCall;
    private boolean completedInCall;

    private ZeroFill(BlockStore store, long offset, long length, boolean fua, StoreCompletion done) {
        this.store = store;
        this.fua = fua;
        this.done = done;
        this.next = offset;
        this.end = offset + length;
    }

    static void start(BlockStore store, long offset, long length, boolean fua, StoreCompletion done) {
        if (store.readOnly()) {
            done.onStoreDone(StoreStatus.WRITE_PROTECTED, offset);
        } else if (!Segments.inside(offset, length, store.sizeBytes())) {
            done.onStoreDone(StoreStatus.OUT_OF_RANGE, offset);
        } else if (length == 0) {
            done.onStoreDone(StoreStatus.OK, offset);
        } else {
            new ZeroFill(store, offset, length, fua, done).advance();
        }
    }

    /** Writes parts until one ends later, by {@link #onStoreDone}; a loop, so that inline stores use no stack. */
    private void advance() {
        do {
            int part = (int) Math.min(end - next, ZEROS.capacity());
            long offset = next;
            next += part;
            segments[0].clear().limit(part);
            synchronized (this) {
                inCall = true;
                completedInCall = false;
            }
            store.write(offset, segments, 1, fua, this);
        } while (continues());
    }

    private synchronized boolean continues() {
        inCall = false;
        return completedInCall;
    }

    @Override
    public void onStoreDone(StoreStatus status, long errorOffset) {
        if (status != StoreStatus.OK || next == end) {
            done.onStoreDone(status, errorOffset);
            return;
        }
        synchronized (this) {
            if (inCall) {
                completedInCall = true;
                return;
            }
        }
        advance();
    }
}
