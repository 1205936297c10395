package io.srpt.target;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkRequestOpcode;
import java.util.ArrayDeque;

/**
 * Posts the RDMA work and the responses of a channel in the order in which contexts asked for it. What does not fit the
 * send queue waits here and is never lost; a context whose work is larger than the queue goes through it in parts.
 *
 * <p>Only the last work request of a context is signalled, and the one that takes the last slot, so that slots always come
 * back. One slot is kept for the drain marker.
 */
final class SendQueue {
    private static final int RESERVED_SLOTS = 1;

    private final TargetCounters counters;
    private final ChannelCounters channelCounters;
    private final QueuePair queuePair;
    private final ResponseBuffers responses;
    private final SendWorkRequest rdma;
    private final SendWorkRequest send = new SendWorkRequest(1);
    private final ArrayDeque<CommandContext> waiting = new ArrayDeque<>();
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

    /** Posts the transfer and the response of {@code context}, now or as soon as slots allow. */
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
            CommandContext head = waiting.peek();
            while (head != null && postAll(head)) {
                waiting.remove();
                head = waiting.peek();
            }
        } finally {
            pumping = false;
        }
    }

    /** Forgets all that waits; nothing is posted any more. */
    void clear() {
        broken = true;
        waiting.clear();
    }

    private boolean postAll(CommandContext context) {
        Transfer transfer = context.transfer();
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
        return !context.isResponding() || postResponse(context);
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
            counters.bytesWritten.add(length);
            channelCounters.bytesToInitiator.add(length);
        }
        return post(rdma);
    }

    private boolean postResponse(CommandContext context) {
        if (queuePair.freeSendSlots() - RESERVED_SLOTS <= 0) {
            counters.sendQueueFull.increment();
            return false;
        }
        context.beforeResponse();
        return postUnit(context.index(), WorkRequestId.of(WorkRequestId.RESPONSE, context.index()));
    }

    /** Posts an SRP_CRED_REQ if a slot is free and nothing waits; returns whether it was posted. */
    boolean postCreditRequest() {
        if (broken || !waiting.isEmpty() || queuePair.freeSendSlots() - RESERVED_SLOTS <= 0) {
            return false;
        }
        return postUnit(responses.creditRequestIndex(), WorkRequestId.of(WorkRequestId.CREDIT_REQUEST, 0));
    }

    private boolean postUnit(int buffer, long workRequestId) {
        send.reset(WorkRequestOpcode.SEND, workRequestId)
                .segment(responses.address(buffer), responses.length(buffer), responses.key())
                .flags(SendWorkRequest.SIGNALED);
        return post(send);
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
