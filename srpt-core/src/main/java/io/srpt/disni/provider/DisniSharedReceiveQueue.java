package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvWC;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;

/** A shared receive queue of the device. Its receives complete in any order, so slots come from a free list. */
final class DisniSharedReceiveQueue implements SharedReceiveQueue, CompletionTarget {
    private final DisniDevice device;
    private final long numbers;
    private final long pointer;
    private final int maxSegments;
    private final long[] wrIds;
    private final int[] free;
    private final ByteBuffer segments;
    private final long segmentsAddress;
    private int freeCount;
    private boolean closed;

    DisniSharedReceiveQueue(DisniDevice device, DisniProtectionDomain domain, int maxRequests, int maxSegments)
            throws VerbsException {
        this.device = device;
        this.maxSegments = maxSegments;
        numbers = device.targets().reserve();
        pointer = Records.check(
                VerbsNative.createSharedReceiveQueue(domain.pointer(), maxRequests, maxSegments),
                device.name() + ": a shared receive queue of " + maxRequests);
        wrIds = new long[maxRequests];
        free = new int[maxRequests];
        for (int i = 0; i < maxRequests; i++) {
            free[i] = maxRequests - 1 - i;
        }
        freeCount = maxRequests;
        segments = Records.allocate(maxSegments * Records.SEGMENT);
        segmentsAddress = Records.address(segments);
        device.targets().put(this);
    }

    long pointer() {
        return pointer;
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        int count = request.segments().count();
        if (count > maxSegments) {
            return PostResult.INVALID;
        }
        if (freeCount == 0) {
            return PostResult.QUEUE_FULL;
        }
        int slot = free[freeCount - 1];
        for (int i = 0; i < count; i++) {
            segments.putLong(i * Records.SEGMENT, request.segments().address(i));
            segments.putInt(i * Records.SEGMENT + 8, request.segments().length(i));
            segments.putInt(i * Records.SEGMENT + 12, request.segments().localKey(i));
        }
        int result = VerbsNative.postSharedReceive(
                pointer, WorkRequestNumber.ofReceive(numbers, slot), segmentsAddress, count);
        if (result < 0) {
            return PostResult.INVALID;
        }
        freeCount--;
        wrIds[slot] = request.wrId();
        return PostResult.OK;
    }

    @Override
    public int posted() {
        return wrIds.length - freeCount;
    }

    @Override
    public long numbers() {
        return numbers;
    }

    @Override
    public void onCompletion(IbvWC raw, DisniCompletion completion, CompletionListener listener) {
        int slot = WorkRequestNumber.slot(raw.getWr_id());
        free[freeCount++] = slot;
        int queuePair = raw.getStatus() == 0 ? raw.getQp_num() : 0;
        listener.onCompletion(completion.show(raw, wrIds[slot], queuePair, true));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            VerbsNative.destroySharedReceiveQueue(pointer);
            device.targets().remove(this);
        }
    }
}
