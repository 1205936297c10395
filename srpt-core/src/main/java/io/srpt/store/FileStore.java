package io.srpt.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in a file, sparse where never written, or on a block device; reopening it finds the data again.
 *
 * <p>I/O is buffered by the page cache unless {@link StoreOptions#direct()}, and runs on {@link StoreThreads}, but for reads
 * that the page cache can answer at once, which complete inline. With the write cache a completed change survives the end
 * of this process, and a power cut only after a flush ({@code fdatasync}) or with FUA; without it all changes are flushed.
 * A failed flush sticks, since the kernel forgets about it after it has told once.
 *
 * <p>What of a block device is occupied the kernel does not tell: all of it, says {@link #allocation}, unmapped or not.
 *
 * <p>A file is locked against a second store on it, in this process or another, and a block device against mounts. A file
 * that was made longer from outside is noticed within a second of I/O, or by {@link #rescan}.
 *
 * <p>At most three quarters of the pool's operations can be one store's; further ones end with {@link StoreStatus#BUSY}.
 * Threads: as {@link BlockStore} says.
 */
public final class FileStore implements BlockStore {
    /** Longer reads go to the pool, since copying them keeps a loop from its other work. */
    private static final int MAX_READ_NOW = 256 * 1024;

    /** So many misses in a row, and only every {@link #TRY_EACH}th read is tried on the caller's thread. */
    private static final int MISSES = 8;

    private static final int TRY_EACH = 16;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final FileMedium medium;
    private final FileCalls calls;
    private final StoreOptions options;
    private final StoreThreads threads;
    private final CloseGate gate;
    private final FlushQueue flushes = new FlushQueue(this);
    private final AtomicInteger mine = new AtomicInteger();
    private final int most;
    private final FileExtent extent;
    private final FileErrorLog errors = new FileErrorLog();
    private volatile boolean readsNow;
    /** Hints only; written by several threads, and it does not matter which one wins. */
    private int misses;

    private int untried;

    FileStore(FileMedium medium, StoreOptions options, StoreThreads threads) {
        this.medium = medium;
        this.calls = medium.calls();
        this.options = options;
        this.threads = threads;
        this.gate = new CloseGate(calls::close);
        this.most = Math.max(1, threads.capacity() * 3 / 4);
        this.readsNow = !medium.direct();
        this.extent = new FileExtent(this, medium, options);
    }

    /**
     * Opens the regular file {@code path}, and creates it when {@code size} is given.
     *
     * @param size bytes; a smaller file grows to it; 0 takes the size that the file has
     * @param threads where the I/O runs; not closed with the store
     * @throws StoreException if the file is missing, larger than {@code size}, in use, or cannot be opened
     */
    public static FileStore open(Path path, long size, StoreOptions options, StoreThreads threads)
            throws StoreException {
        return open(path, size, options, threads, calls -> calls);
    }

    /** @param wrap comes between the store and the system calls that it does, those for opening included */
    static FileStore open(
            Path path, long size, StoreOptions options, StoreThreads threads, UnaryOperator<FileCalls> wrap)
            throws StoreException {
        return new FileStore(new RegularFileOpener(path, size, options, wrap).open(), options, threads);
    }

    /**
     * Opens the block device {@code path}.
     *
     * @throws StoreException if it is none, is in use, or cannot be opened
     */
    public static FileStore openDevice(Path path, StoreOptions options, StoreThreads threads) throws StoreException {
        return new FileStore(new BlockDeviceOpener(path, options).open(), options, threads);
    }

    @Override
    public long sizeBytes() {
        return extent.size();
    }

    @Override
    public boolean readOnly() {
        return options.readOnly();
    }

    @Override
    public boolean writeCacheEnabled() {
        return options.writeCache() && !options.readOnly();
    }

    @Override
    public boolean thin() {
        return medium.thin() && options.thin();
    }

    @Override
    public int physicalBlockSize() {
        return medium.blockSize();
    }

    @Override
    public int unmapGranularity() {
        return medium.granularity();
    }

    @Override
    public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
        long length = Segments.length(segments, count);
        StoreStatus status = check(false, offset, length);
        if (status != StoreStatus.OK) {
            done.onStoreDone(status, offset);
        } else if (!Segments.areDirect(segments, count)) {
            new HeapTransfer(segments, count, length, done).read(this, offset);
        } else {
            FileOperation operation = take();
            if (operation == null) {
                done.onStoreDone(StoreStatus.BUSY, offset);
                return;
            }
            operation.prepare(this, FileOperation.Kind.READ, offset, length, false, done);
            operation.transferring(segments, count);
            if (triesNow(length) && readNow(operation)) {
                operation.finish(StoreStatus.OK);
            } else {
                start(operation, offset, done);
            }
        }
    }

    @Override
    public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
        long length = Segments.length(segments, count);
        StoreStatus status = check(true, offset, length);
        if (status != StoreStatus.OK) {
            done.onStoreDone(status, offset);
        } else if (!Segments.areDirect(segments, count)) {
            new HeapTransfer(segments, count, length, done).write(this, offset, fua);
        } else {
            FileOperation operation = take();
            if (operation == null) {
                done.onStoreDone(StoreStatus.BUSY, offset);
                return;
            }
            operation.prepare(this, FileOperation.Kind.WRITE, offset, length, isDurable(fua), done);
            operation.transferring(segments, count);
            start(operation, offset, done);
        }
    }

    @Override
    public void flush(StoreCompletion done) {
        submit(FileOperation.Kind.FLUSH, 0, 0, !readOnly(), done);
    }

    @Override
    public void unmap(long offset, long length, boolean fua, StoreCompletion done) {
        writeZeroes(offset, length, true, fua, done);
    }

    @Override
    public void writeZeroes(long offset, long length, boolean mayUnmap, boolean fua, StoreCompletion done) {
        StoreStatus status = check(true, offset, length);
        if (status != StoreStatus.OK || length == 0) {
            done.onStoreDone(status, offset);
            return;
        }
        FileOperation.Kind kind = mayUnmap && thin() ? FileOperation.Kind.UNMAP : FileOperation.Kind.ZERO;
        submit(kind, offset, length, isDurable(fua), done);
    }

    @Override
    public void allocation(long offset, long length, AllocationCompletion done) {
        StoreStatus status = length > 0 ? check(false, offset, length) : StoreStatus.OUT_OF_RANGE;
        FileOperation operation = status == StoreStatus.OK ? take() : null;
        if (operation == null) {
            done.onAllocation(status == StoreStatus.OK ? StoreStatus.BUSY : status, true, length);
            return;
        }
        operation.asking(this, offset, length, done);
        if (!threads.offer(operation)) {
            operation.release(this);
            done.onAllocation(StoreStatus.BUSY, true, length);
        }
    }

    @Override
    public StoreUsage usage() {
        if (extent.isLookDue()) {
            submit(FileOperation.Kind.RESCAN, 0, 0, false, (status, offset) -> {});
        }
        return extent.usage();
    }

    @Override
    public void grow(long sizeBytes, StoreCompletion done) {
        submit(FileOperation.Kind.GROW, 0, sizeBytes, true, done);
    }

    @Override
    public void rescan(StoreCompletion done) {
        submit(FileOperation.Kind.RESCAN, 0, 0, false, done);
    }

    @Override
    public void onCapacityChange(CapacityListener listener) {
        extent.listener(listener);
    }

    private StoreStatus check(boolean change, long offset, long length) {
        if (gate.isClosed()) {
            return StoreStatus.NOT_READY;
        }
        if (change && readOnly()) {
            return StoreStatus.WRITE_PROTECTED;
        }
        return Segments.inside(offset, length, extent.size()) ? StoreStatus.OK : StoreStatus.OUT_OF_RANGE;
    }

    private boolean isDurable(boolean fua) {
        return fua || !options.writeCache();
    }

    private void submit(FileOperation.Kind kind, long offset, long length, boolean durable, StoreCompletion done) {
        if (gate.isClosed()) {
            done.onStoreDone(StoreStatus.NOT_READY, offset);
            return;
        }
        FileOperation operation = take();
        if (operation == null) {
            done.onStoreDone(StoreStatus.BUSY, offset);
            return;
        }
        operation.prepare(this, kind, offset, length, durable, done);
        start(operation, offset, done);
    }

    private void start(FileOperation operation, long offset, StoreCompletion done) {
        if (!threads.offer(operation)) {
            operation.release(this);
            done.onStoreDone(StoreStatus.BUSY, offset);
        }
    }

    private @Nullable FileOperation take() {
        FileOperation operation = null;
        if (mine.incrementAndGet() <= most) {
            operation = threads.operations().take();
        }
        if (operation == null) {
            mine.decrementAndGet();
        }
        return operation;
    }

    /** Takes back what {@link #take()} gave. */
    void release(FileOperation operation) {
        threads.operations().give(operation);
        mine.decrementAndGet();
    }

    private boolean triesNow(long length) {
        return readsNow && length <= MAX_READ_NOW && (misses < MISSES || ++untried % TRY_EACH == 0);
    }

    private boolean readNow(FileOperation operation) {
        if (!gate.enter()) {
            return false;
        }
        try {
            return operation.readNow();
        } finally {
            gate.exit();
        }
    }

    /** What a try on the caller's thread gave. */
    void readNowEnded(long result, boolean complete) {
        if (complete) {
            misses = 0;
        } else if (result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL) {
            readsNow = false;
        } else {
            misses++;
        }
    }

    FileMedium medium() {
        return medium;
    }

    FileCalls calls() {
        return calls;
    }

    CloseGate gate() {
        return gate;
    }

    FlushQueue flushes() {
        return flushes;
    }

    FileExtent extent() {
        return extent;
    }

    /** The status for a system call that failed; logs it. */
    StoreStatus failed(FileOperation.Kind kind, int errno, long at) {
        errors.log(this, kind, Errno.text(errno), at);
        boolean read = kind == FileOperation.Kind.READ || kind == FileOperation.Kind.ALLOCATION;
        return Errno.status(read, errno);
    }

    /** A transfer met the end of the file, because somebody cut it. */
    StoreStatus endsEarly(boolean read, long at) {
        errors.log(this, read ? FileOperation.Kind.READ : FileOperation.Kind.WRITE, "the file was cut", at);
        return read ? StoreStatus.READ_ERROR : StoreStatus.WRITE_ERROR;
    }

    @Override
    public void close() {
        gate.close(CLOSE_NANOS);
    }

    @Override
    public String toString() {
        return medium.name();
    }
}
