package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.Bth;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What reliable and datagram queue pairs share: state, queues, flushing. */
abstract class RoceQueuePair implements QueuePair, Sender {
    private static final Logger LOG = LoggerFactory.getLogger(RoceQueuePair.class);

    private final RocePort port;
    private final RoceProtectionDomain domain;
    private final QueuePairInit init;
    private final int number;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final RoceCompletionQueue sendCompletions;
    private final RoceCompletionQueue receiveCompletions;
    private QueuePairState state = QueuePairState.RESET;
    private boolean scheduled;
    private boolean awaitingReads;
    private boolean closed;

    RoceQueuePair(RocePort port, RoceProtectionDomain domain, QueuePairInit init, int number) {
        this.port = port;
        this.domain = domain;
        this.init = init;
        this.number = number;
        this.sends = new SendQueue(domain, init.maxSendRequests(), init.maxSendSegments());
        this.receives = init.sharedReceives() instanceof ReceiveQueue shared
                ? shared
                : new ReceiveQueue(
                        domain, init.maxReceiveRequests(), init.maxReceiveSegments(), init.anyReceiveOrder());
        this.sendCompletions = (RoceCompletionQueue) init.sendQueue();
        this.receiveCompletions = (RoceCompletionQueue) init.receiveQueue();
        port.counters().queuePairs().increment();
    }

    /** Whether a packet may come in: null, or why it is dropped. Checks its source and ICRC. */
    abstract @Nullable DropCause admit(RoceEndpoint endpoint, Datagram datagram, int opcode);

    /** Serves an admitted packet. */
    abstract void onPacket(ByteBuffer buffer, int packet, Bth bth, int opcode, int payloadLength);

    /** A work request was added to {@link #sends()}. */
    abstract void onPosted(SendQueue.Element element);

    /** The longest message that may be posted. */
    abstract long maxMessageBytes();

    /** Stops timers and forgets what is on its way. */
    abstract void stop();

    /** It is closed; once. */
    void onClosed() {}

    /** Completes, as flushed, the receive of a message that has come in part. */
    abstract void flushPartialReceive();

    final RocePort port() {
        return port;
    }

    final RoceProtectionDomain domain() {
        return domain;
    }

    final RdmaLoop loop() {
        return sendCompletions.loop();
    }

    final RoceCounters counters() {
        return port.counters();
    }

    final SendQueue sends() {
        return sends;
    }

    final ReceiveQueue receives() {
        return receives;
    }

    @Override
    public final boolean markScheduled(boolean value) {
        boolean changed = scheduled != value;
        scheduled = value;
        return changed;
    }

    /** Whether that is a change. */
    final boolean markAwaitingReads(boolean value) {
        boolean changed = awaitingReads != value;
        awaitingReads = value;
        return changed;
    }

    @Override
    public final int number() {
        return number;
    }

    @Override
    public final QueuePairType type() {
        return init.type();
    }

    @Override
    public final QueuePairState state() {
        return state;
    }

    final void enter(QueuePairState next) {
        LOG.debug("QP {} {} -> {}", number, state, next);
        state = next;
    }

    final void require(QueuePairState expected) throws VerbsException {
        if (state != expected || closed) {
            throw new VerbsException("queue pair " + number + " is in " + (closed ? "use no more" : state)
                    + ", this change starts from " + expected);
        }
    }

    @Override
    public final PostResult postSend(SendWorkRequest request) {
        assert loop().inEventLoop();
        if (state == QueuePairState.ERR || state == QueuePairState.SQE) {
            completeSend(request.wrId(), WorkCompletionStatus.WORK_REQUEST_FLUSHED, WorkCompletionOpcode.SEND, 0);
            return PostResult.OK;
        }
        if (state != QueuePairState.RTS) {
            return PostResult.WRONG_STATE;
        }
        PostResult result = sends.prepare(request, maxMessageBytes());
        if (result == PostResult.OK) {
            onPosted(sends.commit());
        }
        return result;
    }

    @Override
    public final PostResult postReceive(ReceiveWorkRequest request) {
        assert loop().inEventLoop();
        if (init.sharedReceives() != null) {
            return PostResult.INVALID;
        }
        if (state == QueuePairState.RESET) {
            return PostResult.WRONG_STATE;
        }
        if (state == QueuePairState.ERR) {
            receiveCompletions.add(
                    request.wrId(), WorkCompletionStatus.WORK_REQUEST_FLUSHED, WorkCompletionOpcode.RECEIVE, number);
            return PostResult.OK;
        }
        return receives.postReceive(request);
    }

    @Override
    public final int freeSendSlots() {
        return sends.free();
    }

    final void completeSend(long wrId, WorkCompletionStatus status, WorkCompletionOpcode opcode, int bytes) {
        sendCompletions.add(wrId, status, opcode, number).byteLength(bytes);
    }

    final RoceCompletion completeReceive(
            ReceiveQueue.Element element, WorkCompletionStatus status, WorkCompletionOpcode opcode) {
        RoceCompletion completion = receiveCompletions.add(element.wrId(), status, opcode, number);
        receives.release(element);
        return completion;
    }

    @Override
    public final void modifyToError() {
        assert loop().inEventLoop();
        if (state == QueuePairState.ERR || closed) {
            return;
        }
        boolean hadWork = state != QueuePairState.RESET;
        enter(QueuePairState.ERR);
        stop();
        if (hadWork) {
            flush();
        }
    }

    /** The transport gave up: flushes and tells the owner. */
    final void fail() {
        if (state != QueuePairState.ERR) {
            modifyToError();
            raise(QueuePairEventListener.Event.FATAL);
            port.report(TransportEventListener.Kind.QUEUE_PAIR_FATAL, number, 0);
        }
    }

    final void raise(QueuePairEventListener.Event event) {
        LOG.debug("QP {} event {}", number, event);
        init.listener().onQueuePairEvent(this, event);
    }

    private void flush() {
        while (!sends.isEmpty()) {
            SendQueue.Element element = sends.at(sends.head());
            completeSend(element.wrId(), WorkCompletionStatus.WORK_REQUEST_FLUSHED, element.completionOpcode(), 0);
            sends.advance();
        }
        flushPartialReceive();
        if (init.sharedReceives() != null) {
            raise(QueuePairEventListener.Event.LAST_WORK_REQUEST_REACHED);
            return;
        }
        for (ReceiveQueue.Element next = receives.take(); next != null; next = receives.take()) {
            completeReceive(next, WorkCompletionStatus.WORK_REQUEST_FLUSHED, WorkCompletionOpcode.RECEIVE);
        }
    }

    @Override
    public final void close() {
        assert loop().inEventLoop();
        if (closed) {
            return;
        }
        closed = true;
        stop();
        state = QueuePairState.RESET;
        port.forget(this);
        onClosed();
        counters().queuePairs().decrement();
    }

    @Override
    public String toString() {
        return init.type() + " queue pair " + number + " (" + state + ")";
    }
}
