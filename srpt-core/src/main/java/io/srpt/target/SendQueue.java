package io.srpt.target;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkRequestOpcode;
import java.util.ArrayDeque;

/**
 * Posts the RDMA work of a channel in the order in which contexts asked for it, and so their responses. What does not fit the
 * send queue waits here and is never lost; a context whose work is larger than the queue goes through it in parts.
 *
 * <pre>
 *   add ─▶ waiting ── READs, WRITEs posted ─▶ (responding) ── held while completions are polled ─▶ response posted
 * </pre>
 *
 * <p>The responses of one poll follow the data of all its commands. A response takes nothing from that but the time of a
 * poll, and like follows like: software RoCE sends rows of packets of one size as one message.
 *
 * <p>Only the last work request of a context is signalled, and the one that takes the last slot, so that slots always come
 * back. One slot is kept for the drain marker.
 */
final class SendQueue {
    private static final int RESERVED_SLOTS = 1;
    /** Responses are held behind so much data at most: what software RoCE can send as one message. */
    private static final int MAX_HELD_BYTES = 60 << 10;

    private final TargetCounters counters;
    private final ChannelCounters channelCounters;
    private final QueuePair queuePair;
    private final ResponseBuffers responses;
    private final SendWorkRequest rdma;
    private final SendWorkRequest send = new SendWorkRequest(1);
    private final ArrayDeque<CommandContext> waiting = new ArrayDeque<>();
    private final ArrayDeque<CommandContext> responding = new ArrayDeque<>();
    private boolean holding;
    /** Bytes of data that were posted since responses were. */
    private int heldBytes;

    private boolean pumping;
    private boolean broken;

    SendQueue(
            TargetCounters counters,
            ChannelCounters channelCounters,
            QueuePair queuePair,
            ResponseBuffers responses,
            int segments) {
        this.counters = counters;
        this.channelCounters = channelCounters;
        this.queuePair = queuePair;
        this.responses = responses;
        this.rdma = new SendWorkRequest(segments);
    }

    /** Posts the transfer and the response of {@code context}, as soon as slots and {@link #holdResponses} allow. */
    void add(CommandContext context) {
        waiting.add(context);
        pump();
    }

    /** Slots may have come back: goes on. */
    void pump() {
        if (pumping || broken) {
            return;
        }
        pumping = true;
        try {
            if (postReady()) {
                CommandContext head = waiting.peek();
                while (head != null && postTransfers(head)) {
                    waiting.remove();
                    if (head.isResponding()) {
                        responding.add(head);
                    }
                    head = waiting.peek();
                }
                postReady();
            }
        } finally {
            pumping = false;
        }
    }

    /** Posts the responses whose data was posted, unless they are held. False when slots are missing. */
    private boolean postReady() {
        if (holding && heldBytes < MAX_HELD_BYTES) {
            return true;
        }
        heldBytes = 0;
        CommandContext head = responding.peek();
        while (head != null && postResponse(head)) {
            responding.remove();
            head = responding.peek();
        }
        return head == null;
    }

    /** Keeps responses until {@link #postResponses()}. */
    void holdResponses() {
        holding = true;
    }

    /** Posts the responses that are held, and from now on at once. */
    void postResponses() {
        holding = false;
        pump();
    }

    /** Forgets all that waits; nothing is posted any more. */
    void clear() {
        broken = true;
        waiting.clear();
        responding.clear();
    }

    /**
     * No more RDMA READs for {@code context}. Returns whether some were posted and have not ended: then the completion of
     * kind {@link CommandContext#readKind()} still comes, after the last of them.
     */
    boolean cancelReads(CommandContext context) {
        if (broken || !waiting.contains(context)) {
            // All were posted, or all are about to be flushed: the completion of the last one, or the drain, tells.
            return true;
        }
        if (!context.transfer().hasBegun()) {
            waiting.remove(context);
            return false;
        }
        context.transfer().cancel();
        pump();
        return true;
    }

    private boolean postTransfers(CommandContext context) {
        Transfer transfer = context.transfer();
        if (transfer.isCancelled()) {
            return postReadsEnd(context);
        }
        while (!transfer.isDone()) {
            int slots = queuePair.freeSendSlots() - RESERVED_SLOTS;
            if (slots <= 0) {
                counters.sendQueueFull.increment();
                return false;
            }
            if (!postTransfer(context, transfer, slots == 1)) {
                return false;
            }
        }
        return true;
    }

    private boolean postTransfer(CommandContext context, Transfer transfer, boolean lastSlot) {
        boolean reading = !context.isResponding();
        boolean lastRead = reading && transfer.isLast(rdma.segments().capacity());
        int length = transfer.next(
                rdma,
                reading ? WorkRequestOpcode.RDMA_READ : WorkRequestOpcode.RDMA_WRITE,
                WorkRequestId.of(lastRead ? context.readKind() : WorkRequestId.PROGRESS, context.index()));
        if (lastRead || lastSlot) {
            rdma.flags(SendWorkRequest.SIGNALED);
        }
        if (reading) {
            counters.rdmaReads.increment();
            counters.bytesRead.add(length);
            channelCounters.bytesFromInitiator.add(length);
        } else {
            counters.rdmaWrites.increment();
            heldBytes += length;
            counters.bytesWritten.add(length);
            channelCounters.bytesToInitiator.add(length);
        }
        return post(rdma);
    }

    /** In place of the last READ of a command that was ended: an RDMA WRITE of no bytes, which completes after those before it. */
    private boolean postReadsEnd(CommandContext context) {
        if (isFull()) {
            return false;
        }
        send.reset(WorkRequestOpcode.RDMA_WRITE, WorkRequestId.of(context.readKind(), context.index()))
                .flags(SendWorkRequest.SIGNALED);
        return post(send);
    }

    private boolean isFull() {
        if (queuePair.freeSendSlots() > RESERVED_SLOTS) {
            return false;
        }
        counters.sendQueueFull.increment();
        return true;
    }

    private boolean postResponse(CommandContext context) {
        if (isFull()) {
            return false;
        }
        context.beforeResponse();
        return postUnit(context.index(), WorkRequestId.of(WorkRequestId.RESPONSE, context.index()));
    }

    /** Whether {@link #postRequest} would post now: a slot is free and nothing waits for one. */
    boolean isReady() {
        return !broken && waiting.isEmpty() && responding.isEmpty() && queuePair.freeSendSlots() > RESERVED_SLOTS;
    }

    /** Posts the unit of the target's own in buffer {@code index}, if {@link #isReady()}; returns whether it did. */
    boolean postRequest(int kind, int index) {
        return isReady() && postUnit(index, WorkRequestId.of(kind, 0));
    }

    private boolean postUnit(int buffer, long workRequestId) {
        send.reset(WorkRequestOpcode.SEND, workRequestId)
                .segment(responses.address(buffer), responses.length(buffer), responses.key())
                .flags(
                        responses.isSolicited(buffer)
                                ? SendWorkRequest.SIGNALED | SendWorkRequest.SOLICITED
                                : SendWorkRequest.SIGNALED);
        return post(send);
    }

    /** Posts a zero-length RDMA WRITE that shows whether the initiator is there, if {@link #isReady()}. */
    void postProbe() {
        if (isReady()) {
            send.reset(WorkRequestOpcode.RDMA_WRITE, WorkRequestId.of(WorkRequestId.PROBE, 0))
                    .flags(SendWorkRequest.SIGNALED);
            post(send);
        }
    }

    /** Posts the zero-length RDMA WRITE that completes after all earlier work; returns whether it was posted. */
    boolean postDrainMarker() {
        send.reset(WorkRequestOpcode.RDMA_WRITE, WorkRequestId.of(WorkRequestId.DRAIN, 0))
                .flags(SendWorkRequest.SIGNALED);
        return queuePair.postSend(send) == PostResult.OK;
    }

    private boolean post(SendWorkRequest request) {
        if (queuePair.postSend(request) == PostResult.OK) {
            return true;
        }
        // Slots were counted before: the queue pair left RTS, and its flushed work will tell.
        broken = true;
        return false;
    }
}
