package io.srpt.store;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One operation of a {@link FileStore}, preallocated and used again.
 *
 * <p>Filled on the caller's thread, which may also try it there ({@link #readNow()}), then run on a pool thread; the pool's
 * queue publishes the fields between the two. It gives itself back to the pool right before it completes.
 */
final class FileOperation implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FileOperation.class);
    private static final ByteBuffer[] NO_SEGMENTS = new ByteBuffer[0];

    enum Kind {
        READ,
        WRITE,
        FLUSH,
        UNMAP,
        ZERO,
        ALLOCATION,
        GROW,
        RESCAN
    }

    private final int index;
    private final IoVector vector = new IoVector();
    private @Nullable FileStore store;
    private Kind kind = Kind.FLUSH;
    private boolean durable;
    private long offset;
    private long length;
    private ByteBuffer[] segments = NO_SEGMENTS;
    private int count;
    private @Nullable StoreCompletion done;
    private @Nullable AllocationCompletion allocationDone;
    private long moved;
    private boolean allocated;

    /** Link in the {@link FlushQueue}. */
    @Nullable
    FileOperation next;

    FileOperation(int index) {
        this.index = index;
    }

    int index() {
        return index;
    }

    /**
     * Says what to do.
     *
     * @param durable whether it ends only when its change is durable
     */
    void prepare(FileStore store, Kind kind, long offset, long length, boolean durable, StoreCompletion done) {
        this.store = store;
        this.kind = kind;
        this.offset = offset;
        this.length = length;
        this.durable = durable;
        this.done = done;
        this.moved = 0;
    }

    void transferring(ByteBuffer[] segments, int count) {
        this.segments = segments;
        this.count = count;
    }

    void asking(FileStore store, long offset, long length, AllocationCompletion done) {
        prepare(store, Kind.ALLOCATION, offset, length, false, (status, errorOffset) -> {});
        this.allocationDone = done;
    }

    private FileStore store() {
        return Objects.requireNonNull(store);
    }

    /**
     * Reads what the page cache has, on the caller's thread and inside the store's gate.
     *
     * @return whether that was all; else {@link #run()} goes on where this ended
     */
    boolean readNow() {
        vector.fill(segments, count, 0);
        long result = store().calls().preadv(vector, offset, true);
        moved = Math.max(result, 0);
        store().readNowEnded(result, moved == length);
        return moved == length;
    }

    @Override
    public void run() {
        FileStore owner = store();
        if (!owner.gate().enter()) {
            finish(StoreStatus.NOT_READY);
            return;
        }
        StoreStatus status = StoreStatus.INTERNAL_ERROR;
        boolean handedOver = false;
        try {
            status = perform(owner);
            if (durable && status == StoreStatus.OK) {
                handedOver = true;
                owner.flushes().add(this);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{} of {} failed in an unforeseen way", kind, owner, e);
        } finally {
            if (!handedOver) {
                finish(status);
            }
            owner.extent().lookAgain();
            owner.gate().exit();
        }
    }

    private StoreStatus perform(FileStore owner) {
        return switch (kind) {
            case READ, WRITE -> transfer(owner);
            case FLUSH -> StoreStatus.OK;
            case UNMAP -> new FileRange(owner, vector).unmap(offset, length);
            case ZERO -> new FileRange(owner, vector).zero(offset, length);
            case ALLOCATION -> findAllocation(owner);
            case GROW -> owner.extent().lengthen(length);
            case RESCAN -> owner.extent().look();
        };
    }

    private StoreStatus transfer(FileStore owner) {
        boolean read = kind == Kind.READ;
        FileCalls calls = owner.calls();
        while (moved < length) {
            vector.fill(segments, count, moved);
            long result = read ? calls.preadv(vector, offset + moved, false) : calls.pwritev(vector, offset + moved);
            if (result > 0) {
                moved += result;
            } else if (result == 0) {
                return owner.endsEarly(read, offset + moved);
            } else if (result != -Errno.EINTR) {
                return owner.failed(kind, (int) -result, offset + moved);
            }
        }
        return StoreStatus.OK;
    }

    private StoreStatus findAllocation(FileStore owner) {
        FileCalls calls = owner.calls();
        moved = length;
        long data = calls.lseek(offset, FileCalls.SEEK_DATA);
        if (data == -Errno.ENXIO) {
            allocated = false;
            return StoreStatus.OK;
        }
        allocated = data == offset || data == -Errno.EINVAL || data == -Errno.EOPNOTSUPP;
        long end = data == offset ? calls.lseek(offset, FileCalls.SEEK_HOLE) : data;
        if (end > offset) {
            moved = Math.min(end - offset, length);
            return StoreStatus.OK;
        }
        // Without holes to tell of, all is occupied; a hole that came between the two calls is as good an answer as
        // none.
        return allocated ? StoreStatus.OK : owner.failed(kind, (int) -end, offset);
    }

    /** Completes; the operation is free from here on. */
    void finish(StoreStatus result) {
        FileStore owner = store();
        StoreCompletion completion = Objects.requireNonNull(done);
        AllocationCompletion asked = allocationDone;
        StoreStatus status = kind == Kind.GROW ? owner.extent().lengthened(result, length) : result;
        long run = moved;
        long errorOffset = offset + (kind == Kind.READ || kind == Kind.WRITE ? moved : 0);
        boolean occupied = allocated;
        release(owner);
        try {
            if (asked == null) {
                completion.onStoreDone(status, errorOffset);
            } else {
                asked.onAllocation(status, occupied, run);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("A completion of {} failed in an unforeseen way", owner, e);
        }
    }

    /** Gives it back without completing. */
    void release(FileStore owner) {
        segments = NO_SEGMENTS;
        count = 0;
        store = null;
        done = null;
        allocationDone = null;
        owner.release(this);
    }
}
