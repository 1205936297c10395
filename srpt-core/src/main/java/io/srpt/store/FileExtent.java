package io.srpt.store;

import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How large the medium of a {@link FileStore} is and how much of it is occupied, as last looked at: when it was opened, and at
 * most once a second since then.
 */
final class FileExtent {
    private static final Logger LOG = LoggerFactory.getLogger(FileStore.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FileStore store;
    private final FileMedium medium;
    private final FileCalls calls;
    private final StoreOptions options;
    private final AtomicLong nextLook = new AtomicLong(System.nanoTime());
    /** Our own change of the length is not durable yet. */
    private boolean lengthening;

    private volatile long size;
    private volatile StoreUsage usage;
    private volatile CapacityListener listener = bytes -> {};

    FileExtent(FileStore store, FileMedium medium, StoreOptions options) {
        this.store = store;
        this.medium = medium;
        this.calls = medium.calls();
        this.options = options;
        this.size = medium.size();
        this.usage = lookAtUsage();
    }

    long size() {
        return size;
    }

    StoreUsage usage() {
        return usage;
    }

    void listener(CapacityListener newListener) {
        listener = newListener;
    }

    /** Makes the file longer, not yet durably. Pool threads only. */
    synchronized StoreStatus lengthen(long bytes) {
        if (medium.device()) {
            return StoreStatus.NOT_SUPPORTED;
        }
        if (options.readOnly()) {
            return StoreStatus.WRITE_PROTECTED;
        }
        if (bytes < size) {
            return StoreStatus.OUT_OF_RANGE;
        }
        long actual = calls.lseek(0, FileCalls.SEEK_END);
        long result = actual;
        if (actual >= 0 && actual < bytes) {
            result = options.thin() ? calls.ftruncate(bytes) : calls.fallocate(0, 0, bytes);
        }
        lengthening = result >= 0;
        return lengthening ? StoreStatus.OK : store.failed(FileOperation.Kind.GROW, (int) -result, 0);
    }

    /** {@link #lengthen} has become durable, or {@code status} says why not. */
    synchronized StoreStatus lengthened(StoreStatus status, long bytes) {
        lengthening = false;
        if (status == StoreStatus.OK) {
            grow(bytes);
        }
        return status;
    }

    /** The medium is as long as this, whoever made it so: not taken over when that is ours and may not last. */
    private synchronized void found(long bytes) {
        if (!lengthening && !store.flushes().haveFailed()) {
            grow(bytes);
        }
    }

    private void grow(long bytes) {
        if (bytes > size) {
            LOG.info("{} has grown from {} to {}", store, ByteSize.format(size), ByteSize.format(bytes));
            size = bytes;
            listener.onCapacityChanged(bytes);
        }
    }

    /** Whether the last look was a second ago; true for one caller only. */
    boolean isLookDue() {
        long due = nextLook.get();
        long now = System.nanoTime();
        return now - due >= 0 && nextLook.compareAndSet(due, now + LOOK_NANOS);
    }

    /** Looks when it is due. Pool threads only, inside the gate. */
    void lookAgain() {
        if (isLookDue()) {
            look();
        }
    }

    /** Looks. Pool threads only, inside the gate. */
    StoreStatus look() {
        long actual = calls.lseek(0, FileCalls.SEEK_END);
        if (actual < 0) {
            return store.failed(FileOperation.Kind.RESCAN, (int) -actual, 0);
        }
        found(actual);
        usage = lookAtUsage();
        return StoreStatus.OK;
    }

    private StoreUsage lookAtUsage() {
        return medium.device()
                ? StoreUsage.NOT_KNOWN
                : new StoreUsage(Math.max(calls.allocatedBytes(), StoreUsage.UNKNOWN), availableBytes());
    }

    private long availableBytes() {
        try {
            return Files.getFileStore(medium.path()).getUsableSpace();
        } catch (IOException e) {
            return StoreUsage.UNKNOWN;
        }
    }
}
