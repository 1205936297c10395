package io.srpt.store.testing;

import io.srpt.store.AllocationCompletion;
import io.srpt.store.BlockStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Waits for the operations of a store, one at a time, and watches that each completes once. What ends with
 * {@link StoreStatus#BUSY} is tried again. One thread a probe.
 */
final class StoreProbe {
    private static final int LIMIT_SECONDS = 20;
    private static final int MAX_TRIES = 10_000;

    /** The run that {@link BlockStore#allocation} found. */
    record Run(StoreStatus status, boolean allocated, long length) {}

    private final BlockStore store;

    StoreProbe(BlockStore store) {
        this.store = store;
    }

    StoreStatus read(long offset, ByteBuffer... segments) {
        return await(done -> store.read(offset, segments, segments.length, done));
    }

    StoreStatus read(long offset, byte[] to) {
        ByteBuffer segment = ByteBuffer.allocateDirect(to.length);
        StoreStatus status = read(offset, segment);
        segment.clear().get(0, to);
        return status;
    }

    StoreStatus write(long offset, byte[] from, boolean fua) {
        ByteBuffer[] segments = {ByteBuffer.allocateDirect(from.length).put(0, from)};
        return await(done -> store.write(offset, segments, 1, fua, done));
    }

    StoreStatus unmap(long offset, long length) {
        return await(done -> store.unmap(offset, length, false, done));
    }

    StoreStatus writeZeroes(long offset, long length, boolean mayUnmap) {
        return await(done -> store.writeZeroes(offset, length, mayUnmap, false, done));
    }

    StoreStatus flush() {
        return await(store::flush);
    }

    StoreStatus grow(long size) {
        return await(done -> store.grow(size, done));
    }

    StoreStatus rescan() {
        return await(store::rescan);
    }

    Run allocation(long offset, long length) {
        Run[] result = new Run[1];
        Once once = new Once();
        AllocationCompletion done = (status, allocated, run) -> {
            result[0] = new Run(status, allocated, run);
            once.completed();
        };
        store.allocation(offset, length, done);
        once.await();
        return result[0];
    }

    private static StoreStatus await(Consumer<StoreCompletion> operation) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            StoreStatus[] result = {StoreStatus.BUSY};
            Once once = new Once();
            operation.accept((status, errorOffset) -> {
                result[0] = status;
                once.completed();
            });
            once.await();
            if (result[0] != StoreStatus.BUSY) {
                return result[0];
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("the store was BUSY " + MAX_TRIES + " times, though nothing else was under way");
    }

    /** One completion: waited for, and not a second time. */
    private static final class Once {
        private final AtomicInteger completions = new AtomicInteger();
        private final Semaphore arrived = new Semaphore(0);

        void completed() {
            if (completions.incrementAndGet() > 1) {
                throw new AssertionError("the store completed one operation twice");
            }
            arrived.release();
        }

        void await() {
            try {
                if (!arrived.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("the store did not complete an operation in " + LIMIT_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while an operation was under way", e);
            }
        }
    }
}
