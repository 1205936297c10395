package io.srpt.initiator;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.ScatterGatherList;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/** A queue pair whose sends land in a list for the test, and whose receives the test fills. */
final class FakeQueuePair implements QueuePair {
    final Queue<byte[]> sent = new ArrayDeque<>();
    int limit = Integer.MAX_VALUE;
    boolean closed;

    private final QueuePairInit init;
    private final FakeDevice device;
    private final FakeQueue queue;
    private final Queue<long[]> receives = new ArrayDeque<>();
    private QueuePairState state = QueuePairState.RESET;
    private int usedSlots;
    private int unsignaled;

    FakeQueuePair(FakeDevice device, QueuePairInit init) {
        this.device = device;
        this.init = init;
        queue = (FakeQueue) init.sendQueue();
    }

    void establish() {
        state = QueuePairState.RTS;
    }

    int postedReceives() {
        return receives.size();
    }

    /** The peer sends {@code message}. */
    void deliver(byte[] message) {
        long[] receive = receives.poll();
        if (receive == null) {
            throw new AssertionError("receiver not ready");
        }
        if (message.length > receive[2]) {
            throw new AssertionError("message of " + message.length + " bytes does not fit");
        }
        device.memory((int) receive[3], receive[1], message.length).put(0, message);
        complete(receive[0], WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE, message.length, () -> {});
    }

    /** A send fails. */
    void failSend(WorkCompletionStatus status) {
        complete(2L << 32, status, WorkCompletionOpcode.SEND, 0, () -> {});
    }

    @Override
    public int number() {
        return 17;
    }

    @Override
    public QueuePairType type() {
        return init.type();
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public void modifyToInit(InitAttributes attributes) {
        state = QueuePairState.INIT;
    }

    @Override
    public void modifyToRtr(RtrAttributes attributes) {
        state = QueuePairState.RTR;
    }

    @Override
    public void modifyToRts(RtsAttributes attributes) {
        state = QueuePairState.RTS;
    }

    @Override
    public void modifyToError() {
        state = QueuePairState.ERR;
        for (long[] receive : receives) {
            complete(receive[0], WorkCompletionStatus.WORK_REQUEST_FLUSHED, WorkCompletionOpcode.RECEIVE, 0, () -> {});
        }
        receives.clear();
    }

    @Override
    public PostResult postSend(SendWorkRequest request) {
        if (state != QueuePairState.RTS) {
            return PostResult.WRONG_STATE;
        }
        if (freeSendSlots() == 0) {
            return PostResult.QUEUE_FULL;
        }
        ScatterGatherList segments = request.segments();
        ByteBuffer message = ByteBuffer.allocate((int) segments.byteLength());
        for (int index = 0; index < segments.count(); index++) {
            message.put(device.memory(segments.localKey(index), segments.address(index), segments.length(index)));
        }
        sent.add(message.array());
        usedSlots++;
        unsignaled++;
        if (request.isSignaled()) {
            int freed = unsignaled;
            unsignaled = 0;
            complete(
                    request.wrId(),
                    WorkCompletionStatus.SUCCESS,
                    WorkCompletionOpcode.SEND,
                    0,
                    () -> usedSlots -= freed);
        }
        return PostResult.OK;
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        if (receives.size() == init.maxReceiveRequests()) {
            return PostResult.QUEUE_FULL;
        }
        ScatterGatherList segments = request.segments();
        receives.add(new long[] {request.wrId(), segments.address(0), segments.length(0), segments.localKey(0)});
        return PostResult.OK;
    }

    @Override
    public int freeSendSlots() {
        return Math.min(limit, init.maxSendRequests()) - usedSlots;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void complete(
            long wrId, WorkCompletionStatus status, WorkCompletionOpcode opcode, int length, Runnable before) {
        queue.add(new FakeQueue.Entry(wrId, status, opcode, length, number(), before));
    }
}
