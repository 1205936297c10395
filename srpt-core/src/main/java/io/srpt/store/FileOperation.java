package io.srpt.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a {@link FileStore}, preallocated and used again.
 *
 * <p>Filled on the caller's thread, run on a pool thread; the pool's queue publishes the fields between the two.
 */
final class FileOperation implements Runnable {
    static final ByteBuffer[] NO_SEGMENTS = new ByteBuffer[0];

    enum Kind {
        READ,
        WRITE,
        WRITE_THROUGH,
        FLUSH
    }

    private final FileStore store;
    private Kind kind = Kind.FLUSH;
    private long offset;
    private ByteBuffer[] segments = NO_SEGMENTS;
    private int count;
    private @Nullable StoreCompletion done;
    private long reached;

    FileOperation(FileStore store) {
        this.store = store;
    }

    void prepare(Kind kind, long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
        this.kind = kind;
        this.offset = offset;
        this.segments = segments;
        this.count = count;
        this.done = done;
    }

    void clear() {
        segments = NO_SEGMENTS;
        done = null;
    }

    @Override
    public void run() {
        StoreStatus status = StoreStatus.INTERNAL_ERROR;
        reached = offset;
        try {
            status = perform();
        } catch (IOException e) {
            status = store.failed(kind, reached, e);
        } finally {
            StoreCompletion completion = Objects.requireNonNull(done);
            long errorOffset = reached;
            clear();
            store.release(this);
            completion.onStoreDone(status, errorOffset);
        }
    }

    private StoreStatus perform() throws IOException {
        if (kind == Kind.FLUSH) {
            return store.force();
        }
        for (int i = 0; i < count; i++) {
            if (!transfer(segments[i])) {
                return StoreStatus.READ_ERROR;
            }
        }
        return kind == Kind.WRITE_THROUGH ? store.force() : StoreStatus.OK;
    }

    /** Moves one segment; false when the file ends too early, because somebody cut it. */
    private boolean transfer(ByteBuffer segment) throws IOException {
        FileChannel channel = store.channel();
        int position = segment.position();
        try {
            while (segment.hasRemaining()) {
                int moved = kind == Kind.READ ? channel.read(segment, reached) : channel.write(segment, reached);
                if (moved < 0) {
                    return false;
                }
                reached += moved;
            }
            return true;
        } finally {
            segment.position(position);
        }
    }
}
