package io.srpt.scsi;

import io.srpt.store.BlockStore;
import java.nio.ByteBuffer;

/**
 * How far a command has come that works through a range of the medium in parts, each as long as its buffer at most.
 *
 * <pre>
 *  start ───────── at ──── at + part ───────── end       bytes on the medium
 *          done      in hand           to do
 * </pre>
 */
final class RangeWork implements TaskWork {
    private final WorkBuffers pool;
    private final ByteBuffer buffer;
    private final ByteBuffer[] segments;
    private final long start;
    private final long end;
    private long at;
    private int part;

    private RangeWork(WorkBuffers pool, long start, long bytes) {
        this.pool = pool;
        this.buffer = pool.take();
        this.segments = new ByteBuffer[] {buffer};
        this.start = start;
        this.end = start + bytes;
        this.at = start;
        this.part = firstPart(bytes);
    }

    /** Begins work of {@code task} on {@code bytes} bytes of the medium from {@code offset} on, with a buffer of the server. */
    static RangeWork begin(ScsiTask task, long offset, long bytes) {
        RangeWork begun = new RangeWork(task.server().workBuffers(), offset, bytes);
        task.work = begun;
        return begun;
    }

    private static int firstPart(long bytes) {
        return (int) Math.min(bytes, WorkBuffers.SIZE);
    }

    /** Offset on the medium of the part in hand. */
    long at() {
        return at;
    }

    /** Bytes before the part in hand, which is also its place in the data-out of commands that bring as much. */
    long done() {
        return at - start;
    }

    /** Length of the part in hand. */
    int part() {
        return part;
    }

    /** Where the part's bytes are, from index 0 on. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Goes to the next part; false when there is none. */
    boolean next() {
        at += part;
        part = firstPart(end - at);
        return part > 0;
    }

    /** Reads the part in hand of {@code task} into the buffer. */
    void read(ScsiTask task) {
        BlockStore store = task.unit().store();
        task.store().callReading(at, part, done -> {
            buffer.clear().limit(part);
            store.read(at, segments, 1, done);
        });
    }

    /** Writes the part in hand from the buffer. */
    void write(ScsiTask task, boolean fua) {
        BlockStore store = task.unit().store();
        boolean through = task.unit().through(fua);
        task.store().callWriting(at, part, done -> {
            buffer.clear().limit(part);
            store.write(at, segments, 1, through, done);
        });
    }

    /** Fills the buffer with repetitions of its first {@code length} bytes. */
    void repeat(int length) {
        buffer.clear();
        for (int filled = length; filled < buffer.capacity(); ) {
            int copy = Math.min(filled, buffer.capacity() - filled);
            buffer.put(filled, buffer, 0, copy);
            filled += copy;
        }
    }

    @Override
    public void release() {
        pool.give(buffer);
    }
}
