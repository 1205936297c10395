package io.srpt.store;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes changes durable: one {@code fdatasync} at a time, each for all that wait when it starts.
 *
 * <pre>
 *  add ─▶ waiting ──▶ (one thread leads) fdatasync ──▶ finish each of the batch
 *             ▲                                 │
 *             └── those that come meanwhile ────┘  next round
 * </pre>
 *
 * <p>One at a time, because the kernel tells of a write that got lost once per open file: of two calls at the same time, the
 * second could return success for data whose loss the first was told of. So a failure is noted before any other call can
 * start, and from then on all fail. Threads: any of the pool's.
 */
final class FlushQueue {
    private static final Logger LOG = LoggerFactory.getLogger(FlushQueue.class);

    private final FileStore store;
    private @Nullable FileOperation first;
    private @Nullable FileOperation last;
    private boolean led;
    private volatile boolean failed;

    FlushQueue(FileStore store) {
        this.store = store;
    }

    /**
     * Takes over {@code operation}, whose changes are done, and finishes it when they are durable. The caller holds the
     * store's gate; it may come to lead, and then returns when nobody waits any more.
     */
    void add(FileOperation operation) {
        synchronized (this) {
            operation.next = null;
            if (last == null) {
                first = operation;
            } else {
                last.next = operation;
            }
            last = operation;
            if (led) {
                return;
            }
            led = true;
        }
        lead();
    }

    /** Whether one failed, and with it all that come. Any thread. */
    boolean haveFailed() {
        return failed;
    }

    private void lead() {
        for (FileOperation batch = take(); batch != null; batch = take()) {
            StoreStatus status = sync();
            while (batch != null) {
                FileOperation next = batch.next;
                batch.next = null;
                batch.finish(status);
                batch = next;
            }
        }
    }

    private synchronized @Nullable FileOperation take() {
        FileOperation batch = first;
        first = null;
        last = null;
        led = batch != null;
        return batch;
    }

    /** Leader only. */
    private StoreStatus sync() {
        if (failed) {
            return StoreStatus.FLUSH_ERROR;
        }
        long result = -Errno.EINTR;
        while (result == -Errno.EINTR) {
            result = store.calls().fdatasync();
        }
        if (result >= 0) {
            return StoreStatus.OK;
        }
        failed = true;
        LOG.error(
                "Flushing {} failed: {}. Written data may be lost; every further flush is refused until the store is"
                        + " opened again. Check the medium, then restart the target",
                store,
                Errno.text((int) -result));
        return StoreStatus.FLUSH_ERROR;
    }
}
