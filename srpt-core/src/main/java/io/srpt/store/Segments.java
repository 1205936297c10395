package io.srpt.store;

import java.nio.ByteBuffer;

/** Arithmetic on the segment lists of {@link BlockStore} operations. */
public final class Segments {
    private Segments() {}

    /** Bytes of {@code segments[0..count)}. */
    public static long length(ByteBuffer[] segments, int count) {
        long length = 0;
        for (int i = 0; i < count; i++) {
            length += segments[i].remaining();
        }
        return length;
    }

    static void zero(ByteBuffer segment, int position, int length) {
        for (int done = 0; done < length; ) {
            int step = Math.min(length - done, ZeroFill.ZEROS.capacity());
            segment.put(position + done, ZeroFill.ZEROS, 0, step);
            done += step;
        }
    }

    /** Whether the kernel can be given the memory of all. */
    static boolean areDirect(ByteBuffer[] segments, int count) {
        for (int i = 0; i < count; i++) {
            if (!segments[i].isDirect()) {
                return false;
            }
        }
        return true;
    }

    /** Whether {@code [offset, offset + length)} lies in a store of {@code size} bytes; overflow-safe. */
    public static boolean inside(long offset, long length, long size) {
        return offset >= 0 && length >= 0 && length <= size && offset <= size - length;
    }
}
