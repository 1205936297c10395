package io.srpt.target;

import io.srpt.store.BlockStore;
import io.srpt.store.CapacityListener;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** A store in memory whose operations can be held back, to end when the test says so. */
final class HeldStore implements BlockStore {
    final ByteBuffer bytes = ByteBuffer.allocate(4 << 20);
    final ArrayDeque<Runnable> held = new ArrayDeque<>();
    boolean hold;
    private CapacityListener growth = size -> {};
    int reads;
    int writes;

    @Override
    public long sizeBytes() {
        return bytes.capacity();
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
        reads++;
        run(() -> {
            int at = (int) offset;
            for (int i = 0; i < count; i++) {
                ByteBuffer segment = segments[i];
                segment.put(segment.position(), bytes, at, segment.remaining());
                at += segment.remaining();
            }
            done.onStoreDone(StoreStatus.OK, offset);
        });
    }

    @Override
    public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
        writes++;
        run(() -> {
            int at = (int) offset;
            for (int i = 0; i < count; i++) {
                ByteBuffer segment = segments[i];
                bytes.put(at, segment, segment.position(), segment.remaining());
                at += segment.remaining();
            }
            done.onStoreDone(StoreStatus.OK, offset);
        });
    }

    @Override
    public void flush(StoreCompletion done) {
        run(() -> done.onStoreDone(StoreStatus.OK, 0));
    }

    @Override
    public void onCapacityChange(CapacityListener listener) {
        growth = listener;
    }

    /** Says that it has grown. */
    void grow() {
        growth.onCapacityChanged(sizeBytes());
    }

    private void run(Runnable operation) {
        if (hold) {
            held.add(operation);
        } else {
            operation.run();
        }
    }

    /** Ends all that is held. */
    void release() {
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    @Override
    public void close() {}
}
