package io.srpt.store;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps the result of one operation and lets a test wait for it. */
final class RecordingCompletion implements StoreCompletion {
    private final CountDownLatch latch = new CountDownLatch(1);
    private volatile StoreStatus status = StoreStatus.INTERNAL_ERROR;
    private volatile long errorOffset;

    @Override
    public void onStoreDone(StoreStatus result, long offset) {
        if (latch.getCount() == 0) {
            throw new AssertionError("completed twice");
        }
        errorOffset = offset;
        status = result;
        latch.countDown();
    }

    StoreStatus await() throws InterruptedException {
        if (!latch.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the store did not complete");
        }
        return status;
    }

    /** How it ended, or {@code INTERNAL_ERROR} when it did not yet. */
    StoreStatus statusNow() {
        return status;
    }

    boolean isDone() {
        return latch.getCount() == 0;
    }

    long errorOffset() {
        return errorOffset;
    }
}
