package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Buffers for commands that read or write the medium on their own, such as VERIFY and WRITE SAME: direct, aligned to
 * {@value #ALIGNMENT} bytes. A few are kept; those of commands that were aborted while a store used them are not. Owner
 * loop only.
 */
final class WorkBuffers {
    /** Bytes of each buffer, a multiple of every block size. */
    static final int SIZE = 256 * 1024;

    private static final int ALIGNMENT = 4096;
    private static final int KEPT = 8;

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** A buffer with anything in it. */
    ByteBuffer take() {
        ByteBuffer buffer = free.pollFirst();
        return buffer != null
                ? buffer
                : ByteBuffer.allocateDirect(SIZE + ALIGNMENT)
                        .alignedSlice(ALIGNMENT)
                        .slice(0, SIZE);
    }

    /** Takes back a buffer that nobody uses any more. */
    void give(ByteBuffer buffer) {
        if (free.size() < KEPT) {
            free.addFirst(buffer.clear());
        }
    }
}
