package io.srpt.target;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.ScatterGatherList;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkCompletionStatus;
import io.srpt.verbs.WorkRequestOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair whose peer is a script: memory by key, units received, units sent. */
final class FakeQueuePair implements QueuePair {
    private final FakeRdma device;
    private final QueuePairInit init;
    private final FakeCompletionQueue completions;
    private final int number;
    private final ArrayDeque<Work> sends = new ArrayDeque<>();
    private final ArrayDeque<Work> receives;
    private final @Nullable FakeSharedReceives shared;
    private QueuePairState state = QueuePairState.RESET;
    private long postedSends;
    private long freed;
    private long unacknowledged;
    private boolean closed;

    /** The peer's memory: key to bytes; addresses start at {@link #PEER_BASE}. */
    final ByteBuffer peerMemory = ByteBuffer.allocate(4 << 20);

    /** Keys that the peer granted. */
    final List<Integer> peerKeys = new ArrayList<>(List.of(1));

    /** Units that the target sent. */
    final ArrayDeque<byte[]> sent = new ArrayDeque<>();

    /** What was executed, for order: R(ead), W(rite), S(end), and the length. */
    final List<String> wire = new ArrayList<>();

    static final long PEER_BASE = 0xffff_8880_0000_0000L;

    /** Nothing is executed while set. */
    boolean holdSends;

    /** Work is executed, but its completions wait, as when the peer's acknowledgements are lost. */
    boolean holdCompletions;

    private final ArrayDeque<Runnable> heldCompletions = new ArrayDeque<>();

    /** How many units arrive although no receive is posted. */
    int receiverNotReady;

    /** Work requests that the queue pair executes before one fails with a remote access error; -1 for all. */
    int failAfter = -1;

    /** The units sent as solicited events, by index. */
    final List<Integer> solicited = new ArrayList<>();

    private int units;

    record Work(WorkRequestOpcode opcode, long wrId, int flags, long address, int key, ScatterGatherList segments) {
        boolean isSignaled() {
            return (flags & SendWorkRequest.SIGNALED) != 0;
        }

        boolean isSolicited() {
            return (flags & SendWorkRequest.SOLICITED) != 0;
        }
    }

    FakeQueuePair(FakeRdma device, QueuePairInit init) {
        this.device = device;
        this.init = init;
        shared = (FakeSharedReceives) init.sharedReceives();
        receives = shared == null ? new ArrayDeque<>() : shared.receives;
        if (shared != null) {
            shared.users++;
        }
        completions = (FakeCompletionQueue) init.sendQueue();
        completions.queuePairs.add(this);
        number = device.nextNumber();
        device.queuePairs++;
    }

    /** The peer's SEND of {@code length} bytes of {@code unit}. */
    void deliver(byte[] unit) {
        Work receive = receives.poll();
        if (receive == null) {
            receiverNotReady++;
            throw new IllegalStateException("no receive is posted");
        }
        ScatterGatherList at = receive.segments;
        ByteBuffer target = device.resolve(at.address(0), at.length(0), at.localKey(0));
        target.put(0, unit);
        complete(receive.wrId, WorkCompletionStatus.SUCCESS, unit.length, () -> {});
    }

    int postedReceives() {
        return receives.size();
    }

    void executeSends() {
        while (!holdCompletions && !heldCompletions.isEmpty()) {
            heldCompletions.remove().run();
        }
        while (!holdSends && state == QueuePairState.RTS && !sends.isEmpty()) {
            Work work = sends.remove();
            WorkCompletionStatus status = execute(work);
            if (work.isSignaled() || status != WorkCompletionStatus.SUCCESS) {
                completeSend(work, status);
            } else {
                unacknowledged++;
            }
            if (status != WorkCompletionStatus.SUCCESS) {
                modifyToError();
            }
        }
    }

    private WorkCompletionStatus execute(Work work) {
        int length = Math.toIntExact(work.segments.byteLength());
        if (failAfter == 0) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        failAfter--;
        wire.add(work.opcode.name().replace("RDMA_", "").charAt(0) + "" + length);
        if (work.opcode == WorkRequestOpcode.SEND) {
            ByteBuffer unit = ByteBuffer.allocate(length);
            gather(work.segments, unit);
            sent.add(unit.array());
            if (work.isSolicited()) {
                solicited.add(units);
            }
            units++;
            return WorkCompletionStatus.SUCCESS;
        }
        if (length == 0) {
            return WorkCompletionStatus.SUCCESS;
        }
        long at = work.address - PEER_BASE;
        if (!peerKeys.contains(work.key) || at < 0 || at + length > peerMemory.capacity()) {
            return WorkCompletionStatus.REMOTE_ACCESS_ERROR;
        }
        ByteBuffer peer = peerMemory.slice((int) at, length);
        if (work.opcode == WorkRequestOpcode.RDMA_WRITE) {
            gather(work.segments, peer);
        } else {
            scatter(peer, work.segments);
        }
        return WorkCompletionStatus.SUCCESS;
    }

    private void gather(ScatterGatherList from, ByteBuffer to) {
        for (int i = 0; i < from.count(); i++) {
            to.put(device.resolve(from.address(i), from.length(i), from.localKey(i)));
        }
    }

    private void scatter(ByteBuffer from, ScatterGatherList to) {
        for (int i = 0; i < to.count(); i++) {
            byte[] part = new byte[to.length(i)];
            from.get(part);
            device.resolve(to.address(i), to.length(i), to.localKey(i)).put(part);
        }
    }

    private void completeSend(Work work, WorkCompletionStatus status) {
        long slots = 1 + unacknowledged;
        unacknowledged = 0;
        Runnable completion = () -> complete(work.wrId, status, 0, () -> freed += slots);
        if (holdCompletions || !heldCompletions.isEmpty()) {
            heldCompletions.add(completion);
        } else {
            completion.run();
        }
    }

    private void complete(long wrId, WorkCompletionStatus status, int length, Runnable delivered) {
        if (!closed) {
            completions.add(new FakeCompletionQueue.Entry(wrId, status, length, delivered));
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return QueuePairType.RC;
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

    void ready() {
        state = QueuePairState.RTS;
    }

    @Override
    public void modifyToError() {
        boolean reset = state == QueuePairState.RESET;
        state = QueuePairState.ERR;
        if (reset) {
            return;
        }
        while (!sends.isEmpty()) {
            completeSend(sends.remove(), WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        }
        while (shared == null && !receives.isEmpty()) {
            complete(receives.remove().wrId, WorkCompletionStatus.WORK_REQUEST_FLUSHED, 0, () -> {});
        }
    }

    @Override
    public PostResult postSend(SendWorkRequest request) {
        if (state != QueuePairState.RTS && state != QueuePairState.ERR) {
            return PostResult.WRONG_STATE;
        }
        if (freeSendSlots() == 0) {
            return PostResult.QUEUE_FULL;
        }
        if (request.segments().count() > init.maxSendSegments()) {
            return PostResult.INVALID;
        }
        ScatterGatherList segments = new ScatterGatherList(16);
        segments.copyFrom(request.segments());
        Work work = new Work(
                request.opcode(),
                request.wrId(),
                request.flags(),
                request.remoteAddress(),
                request.remoteKey(),
                segments);
        postedSends++;
        if (state == QueuePairState.ERR) {
            completeSend(work, WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        } else {
            sends.add(work);
        }
        return PostResult.OK;
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        if (shared != null) {
            return PostResult.INVALID;
        }
        if (state == QueuePairState.RESET) {
            return PostResult.WRONG_STATE;
        }
        if (receives.size() == init.maxReceiveRequests()) {
            return PostResult.QUEUE_FULL;
        }
        ScatterGatherList segments = new ScatterGatherList(1);
        segments.copyFrom(request.segments());
        Work work = new Work(WorkRequestOpcode.SEND, request.wrId(), 0, 0, 0, segments);
        if (state == QueuePairState.ERR) {
            complete(work.wrId, WorkCompletionStatus.WORK_REQUEST_FLUSHED, 0, () -> {});
        } else {
            receives.add(work);
        }
        return PostResult.OK;
    }

    @Override
    public int freeSendSlots() {
        return (int) (init.maxSendRequests() - (postedSends - freed));
    }

    int heldSends() {
        return sends.size();
    }

    @Override
    public void close() {
        if (closed) {
            throw new IllegalStateException("closed twice");
        }
        closed = true;
        state = QueuePairState.ERR;
        sends.clear();
        if (shared == null) {
            receives.clear();
        } else {
            shared.users--;
        }
        device.queuePairs--;
        completions.queuePairs.remove(this);
    }
}
