package io.srpt.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk in a file, sparse where never written; reopening it finds the data again.
 *
 * <p>I/O is buffered by the page cache and runs on {@link StoreThreads}, so the write cache is reported as enabled: a
 * completed write survives the end of this process, and a power cut only after a flush ({@code fdatasync}) or with FUA.
 * The file is locked against a second store on it, in this process or another. A failed flush sticks, since the kernel
 * forgets about it after it has told once.
 *
 * <p>The operations are preallocated; as many can be under way as the pool holds, further ones end with
 * {@link StoreStatus#BUSY}. Threads: as {@link BlockStore} says.
 */
public final class FileStore implements BlockStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileStore.class);

    private final Path path;
    private final FileChannel channel;
    private final long size;
    private final boolean readOnly;
    private final StoreThreads threads;
    private final ArrayBlockingQueue<FileOperation> free;
    private volatile boolean flushFailed;
    private volatile boolean closed;

    private FileStore(Path path, FileChannel channel, long size, boolean readOnly, StoreThreads threads) {
        this.path = path;
        this.channel = channel;
        this.size = size;
        this.readOnly = readOnly;
        this.threads = threads;
        this.free = new ArrayBlockingQueue<>(threads.capacity());
        while (free.remainingCapacity() > 0) {
            free.add(new FileOperation(this));
        }
    }

    /**
     * Opens {@code path}, and creates it when {@code size} is given.
     *
     * @param size bytes; a smaller file grows to it; 0 takes the size that the file has
     * @param threads where the I/O runs; not closed with the store
     * @throws StoreException if the file is missing, larger than {@code size}, in use, or cannot be opened
     */
    public static FileStore open(Path path, long size, boolean readOnly, StoreThreads threads) throws StoreException {
        boolean exists = Files.exists(path);
        if (exists && !Files.isRegularFile(path)) {
            throw new StoreException("file:" + path + " is not a regular file; give the path of a file");
        }
        if (!exists && (size <= 0 || readOnly)) {
            throw new StoreException("file:" + path + " does not exist; give a size to create it, such as file:" + path
                    + ":10GiB, or correct the path");
        }
        FileChannel channel = null;
        try {
            channel = openChannel(path, readOnly);
            lock(path, channel, readOnly);
            long actual = resize(path, channel, size, readOnly);
            FileStore store = new FileStore(path, channel, actual, readOnly, threads);
            channel = null;
            return store;
        } catch (IOException e) {
            throw new StoreException(
                    "file:" + path + " cannot be opened: " + e.getMessage()
                            + "; check the path, its permissions and the" + " free space",
                    e);
        } finally {
            closeQuietly(channel);
        }
    }

    private static FileChannel openChannel(Path path, boolean readOnly) throws IOException {
        return readOnly
                ? FileChannel.open(path, StandardOpenOption.READ)
                : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    private static void lock(Path path, FileChannel channel, boolean shared) throws IOException, StoreException {
        FileLock lock;
        try {
            lock = channel.tryLock(0, Long.MAX_VALUE, shared);
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new StoreException("file:" + path + " is in use by another disk of this or another process; give each"
                    + " disk its own file, or stop the other one");
        }
    }

    private static long resize(Path path, FileChannel channel, long size, boolean readOnly)
            throws IOException, StoreException {
        long actual = channel.size();
        if (size <= 0 || size == actual) {
            if (actual == 0) {
                throw new StoreException(
                        "file:" + path + " is empty; give the size it shall have, such as file:" + path + ":10GiB");
            }
            return actual;
        }
        if (size < actual || readOnly) {
            throw new StoreException(
                    "file:" + path + " has " + ByteSize.format(actual) + " and not " + ByteSize.format(size)
                            + "; leave the size out to use the file as it is, or give a larger one to grow it");
        }
        // One byte at the end makes the file that long; opening it a second time to set the length would drop the lock.
        channel.write(ByteBuffer.allocate(1), size - 1);
        channel.force(true);
        syncFolder(path);
        return size;
    }

    /** A new file is durable only once its folder is. */
    private static void syncFolder(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    @Override
    public long sizeBytes() {
        return size;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public boolean writeCacheEnabled() {
        return !readOnly;
    }

    @Override
    public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
        submit(FileOperation.Kind.READ, offset, segments, count, done);
    }

    @Override
    public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
        if (readOnly) {
            done.onStoreDone(StoreStatus.WRITE_PROTECTED, offset);
            return;
        }
        submit(fua ? FileOperation.Kind.WRITE_THROUGH : FileOperation.Kind.WRITE, offset, segments, count, done);
    }

    @Override
    public void flush(StoreCompletion done) {
        submit(FileOperation.Kind.FLUSH, 0, FileOperation.NO_SEGMENTS, 0, done);
    }

    private void submit(FileOperation.Kind kind, long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
        if (closed) {
            done.onStoreDone(StoreStatus.NOT_READY, offset);
            return;
        }
        if (!Segments.inside(offset, Segments.length(segments, count), size)) {
            done.onStoreDone(StoreStatus.OUT_OF_RANGE, offset);
            return;
        }
        FileOperation operation = free.poll();
        if (operation == null) {
            done.onStoreDone(StoreStatus.BUSY, offset);
            return;
        }
        operation.prepare(kind, offset, segments, count, done);
        if (!threads.offer(operation)) {
            operation.clear();
            free.add(operation);
            done.onStoreDone(StoreStatus.BUSY, offset);
        }
    }

    /** Called on a pool thread when {@code operation} may serve again. */
    void release(FileOperation operation) {
        free.add(operation);
    }

    FileChannel channel() {
        return channel;
    }

    /** {@code fdatasync}; sticks to its failure. */
    StoreStatus force() {
        if (flushFailed) {
            return StoreStatus.FLUSH_ERROR;
        }
        try {
            if (!readOnly) {
                channel.force(false);
            }
            return StoreStatus.OK;
        } catch (IOException e) {
            if (closed) {
                return StoreStatus.NOT_READY;
            }
            flushFailed = true;
            LOG.error(
                    "Flushing {} failed: {}. Written data may be lost; every further flush is refused until the store is"
                            + " opened again: check the file system and restart",
                    this,
                    e.getMessage());
            return StoreStatus.FLUSH_ERROR;
        }
    }

    /** The status for an exception of the channel; logs it. */
    StoreStatus failed(FileOperation.Kind kind, long at, IOException e) {
        if (closed) {
            return StoreStatus.NOT_READY;
        }
        LOG.warn("{} of {} failed at byte {}: {}", kind, this, at, e.getMessage());
        if (kind == FileOperation.Kind.READ) {
            return StoreStatus.READ_ERROR;
        }
        String message = e.getMessage();
        return message != null && message.contains("No space left") ? StoreStatus.NO_SPACE : StoreStatus.WRITE_ERROR;
    }

    /** Operations that could be started now; equals the pool's capacity when the store is idle. */
    int freeOperations() {
        return free.size();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            closeQuietly(channel);
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("Closing a store's file failed: {}", e.getMessage());
            }
        }
    }

    @Override
    public String toString() {
        return "file:" + path;
    }
}
