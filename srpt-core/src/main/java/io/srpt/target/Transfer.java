package io.srpt.target;

import io.srpt.srp.DescriptorTable;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the movement of a command's data into RDMA work requests: each covers one memory descriptor of the initiator and as
 * many chunks of ours as a request has segments. Descriptors are used in order, never beyond their own length; what they
 * describe beyond the length of the transfer is not touched.
 */
final class Transfer {
    private static final DescriptorTable NO_DESCRIPTORS = new DescriptorTable();
    private static final DataChunk[] NO_CHUNKS = {};

    private DescriptorTable table = NO_DESCRIPTORS;
    private @Nullable DataChunk[] chunks = NO_CHUNKS;
    private long remaining;
    private long local;
    private int descriptor;
    private long withinDescriptor;
    private boolean cancelled;

    /** Starts to move {@code length} bytes between the memory of {@code table} and that of {@code chunks}. */
    void start(DescriptorTable newTable, @Nullable DataChunk[] newChunks, long length) {
        table = newTable;
        chunks = newChunks;
        remaining = length;
        local = 0;
        descriptor = 0;
        withinDescriptor = 0;
        cancelled = false;
        skipUsedDescriptors();
    }

    /** Nothing to move. */
    void clear() {
        start(NO_DESCRIPTORS, NO_CHUNKS, 0);
    }

    /** Whether a work request was made. */
    boolean hasBegun() {
        return local != 0;
    }

    /** No more work requests are to be made. */
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Whether all work requests were made. */
    boolean isDone() {
        return remaining == 0;
    }

    /** Whether the next piece, of at most {@code segments} segments, is the last one. Only if not done. */
    boolean isLast(int segments) {
        return remaining <= pieceLength(segments);
    }

    /** Fills {@code request} with the next piece and returns its bytes. Only if not done. */
    int next(SendWorkRequest request, WorkRequestOpcode opcode, long workRequestId) {
        request.reset(opcode, workRequestId)
                .remote(table.address(descriptor) + withinDescriptor, table.key(descriptor));
        int piece = pieceLength(request.segments().capacity());
        int length = 0;
        while (length < piece) {
            DataChunk chunk = chunk((int) (local / DataBufferPool.CHUNK_LENGTH));
            int within = (int) (local % DataBufferPool.CHUNK_LENGTH);
            int part = Math.min(piece - length, DataBufferPool.CHUNK_LENGTH - within);
            request.segment(chunk.address() + within, part, chunk.localKey());
            length += part;
            local += part;
        }
        remaining -= length;
        withinDescriptor += length;
        skipUsedDescriptors();
        return length;
    }

    private int pieceLength(int segments) {
        long described = Math.min(remaining, table.length(descriptor) - withinDescriptor);
        long firstSegment = DataBufferPool.CHUNK_LENGTH - local % DataBufferPool.CHUNK_LENGTH;
        return (int) Math.min(described, firstSegment + (segments - 1L) * DataBufferPool.CHUNK_LENGTH);
    }

    private DataChunk chunk(int index) {
        DataChunk chunk = chunks[index];
        if (chunk == null) {
            throw new IllegalStateException("no chunk " + index);
        }
        return chunk;
    }

    private void skipUsedDescriptors() {
        while (remaining > 0 && withinDescriptor == table.length(descriptor)) {
            descriptor++;
            withinDescriptor = 0;
        }
    }
}
