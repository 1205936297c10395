package io.srpt.store;

import java.nio.ByteBuffer;

/** Arithmetic on the segment lists of {@link BlockStore} operations. */
final class Segments {
    private Segments() {}

    static long length(ByteBuffer[] segments, int count) {
        long length = 0;
        for (int i = 0; i < count; i++) {
            length += segments[i].remaining();
        }
        return length;
    }

    /** Whether {@code [offset, offset + length)} lies in a store of {@code size} bytes; overflow-safe. */
    static boolean inside(long offset, long length, long size) {
        return offset >= 0 && length >= 0 && length <= size && offset <= size - length;
    }
}
