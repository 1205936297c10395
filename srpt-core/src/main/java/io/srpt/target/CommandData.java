package io.srpt.target;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that one command holds, and the same memory as segments for the device server. The arrays grow to what the
 * largest command of the context needed, and stay.
 */
final class CommandData {
    private static final int INITIAL_CHUNKS = 2;

    private final ByteBuffer filler;
    private final @Nullable DataChunk[] tableChunk = new @Nullable DataChunk[1];
    private @Nullable DataChunk[] chunks = new @Nullable DataChunk[INITIAL_CHUNKS];
    private ByteBuffer[] segments;
    private int count;

    CommandData(ByteBuffer filler) {
        this.filler = filler;
        segments = new ByteBuffer[INITIAL_CHUNKS];
        Arrays.fill(segments, filler);
    }

    /** Takes {@code chunkCount} chunks that {@code pool} promised; the first {@code length} bytes are for data. */
    void take(DataBufferPool pool, int chunkCount, int length) {
        grow(chunkCount);
        int remaining = length;
        for (int i = 0; i < chunkCount; i++) {
            DataChunk chunk = pool.take();
            chunks[i] = chunk;
            int part = Math.min(remaining, DataBufferPool.CHUNK_LENGTH);
            segments[i] = chunk.buffer().clear().limit(part);
            remaining -= part;
        }
        count = chunkCount;
    }

    private void grow(int chunkCount) {
        int had = chunks.length;
        if (had < chunkCount) {
            chunks = Arrays.copyOf(chunks, Math.max(chunkCount, had * 2));
            segments = Arrays.copyOf(segments, chunks.length);
            Arrays.fill(segments, had, segments.length, filler);
        }
    }

    /** Uses {@code segment} alone, memory that is not of the pool. */
    void use(ByteBuffer segment) {
        segments[0] = segment;
    }

    ByteBuffer[] segments() {
        return segments;
    }

    @Nullable
    DataChunk[] chunks() {
        return chunks;
    }

    /** The last chunk alone, which is for a descriptor table. */
    @Nullable
    DataChunk[] tableChunk() {
        tableChunk[0] = chunks[count - 1];
        return tableChunk;
    }

    /** The memory of the last chunk, which holds a descriptor table. */
    ByteBuffer tableBuffer() {
        DataChunk chunk = chunks[count - 1];
        if (chunk == null) {
            throw new IllegalStateException("no chunk for the table");
        }
        return chunk.buffer().clear();
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Gives all chunks back; others who wait for them are served. */
    void release(DataBufferPool pool) {
        if (count == 0) {
            return;
        }
        for (int i = 0; i < count; i++) {
            DataChunk chunk = chunks[i];
            if (chunk != null) {
                pool.release(chunk);
                chunks[i] = null;
            }
            segments[i] = filler;
        }
        count = 0;
        pool.serve();
    }
}
