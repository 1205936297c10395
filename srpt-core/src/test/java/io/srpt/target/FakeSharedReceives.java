package io.srpt.target;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.ScatterGatherList;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.WorkRequestOpcode;
import java.util.ArrayDeque;

/** A shared receive queue in memory; it must be closed after the queue pairs that use it. */
final class FakeSharedReceives implements SharedReceiveQueue {
    private final FakeRdma device;
    private final int capacity;
    final ArrayDeque<FakeQueuePair.Work> receives = new ArrayDeque<>();
    int users;
    boolean closed;

    FakeSharedReceives(FakeRdma device, int capacity) {
        this.device = device;
        this.capacity = capacity;
        device.sharedReceiveQueues++;
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (receives.size() == capacity) {
            return PostResult.QUEUE_FULL;
        }
        ScatterGatherList segments = new ScatterGatherList(1);
        segments.copyFrom(request.segments());
        receives.add(new FakeQueuePair.Work(WorkRequestOpcode.SEND, request.wrId(), 0, 0, 0, segments));
        return PostResult.OK;
    }

    @Override
    public int posted() {
        return receives.size();
    }

    @Override
    public void close() {
        if (closed || users > 0) {
            throw new IllegalStateException(closed ? "closed twice" : "used by " + users + " queue pairs");
        }
        closed = true;
        device.sharedReceiveQueues--;
    }
}
