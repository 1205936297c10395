package io.srpt.initiator;

import io.srpt.verbs.Access;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkRequestOpcode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The verbs objects of one session: made together, closed together in the right order. Posts with two work request
 * objects that are filled again and again, and asks for a completion only now and then.
 *
 * <p>A {@code wrId} is the kind of work in the upper half and an index in the lower half.
 *
 * <p>Threads: the session's loop.
 */
final class SessionTransport {
    /** A receive; the index is the receive buffer's. */
    static final int KIND_RECEIVE = 1;
    /** A request of ours. */
    static final int KIND_REQUEST = 2;
    /** An answer to a request of the target, sent out of the receive buffer with this index. */
    static final int KIND_ANSWER = 3;

    private static final int MAX_SEGMENTS = 2;
    private static final int ALIGNMENT = 64;

    private final int receives;
    private final int signalInterval;
    private final ProtectionDomain domain;
    private final SendWorkRequest send = new SendWorkRequest(MAX_SEGMENTS);
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private @Nullable CompletionQueue queue;
    private @Nullable QueuePair queuePair;
    private @Nullable MemoryRegion control;
    private @Nullable MemoryRegion data;
    private int unsignaled;
    private boolean closed;

    /**
     * @param requests requests of ours that can be outstanding
     * @param receives receive buffers
     */
    SessionTransport(
            RdmaPort port, int requests, int receives, CompletionListener listener, QueuePairEventListener events)
            throws VerbsException {
        this.receives = receives;
        int sends = 2 * requests + receives;
        signalInterval = Math.max(1, Math.min(16, requests / 2));
        domain = port.device().allocateProtectionDomain();
        try {
            CompletionQueue made = port.device().createCompletionQueue(port.loop(), sends + receives + 1, listener);
            queue = made;
            queuePair = domain.createQueuePair(QueuePairInit.connected(made, sends, receives, MAX_SEGMENTS, events));
        } catch (VerbsException e) {
            close();
            throw e;
        }
    }

    /** Registers the memory of a session that was let in. */
    void allocate(int controlLength, int controlRemoteAccess, int dataLength) throws VerbsException {
        control = domain.register(direct(controlLength), Access.LOCAL_WRITE | controlRemoteAccess);
        data = domain.register(direct(dataLength), Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
    }

    QueuePair queuePair() {
        return present(queuePair);
    }

    /** Information units, descriptor tables and receive buffers. */
    MemoryRegion control() {
        return present(control);
    }

    /** The data buffers of the slots. */
    MemoryRegion data() {
        return present(data);
    }

    int receives() {
        return receives;
    }

    /** Posts a SEND of {@code length} control bytes and, if {@code dataLength} is not 0, data bytes behind them. */
    PostResult send(int kind, int index, int offset, int length, int dataOffset, int dataLength) {
        MemoryRegion units = control();
        send.reset(WorkRequestOpcode.SEND, wrId(kind, index))
                .segment(units.address() + offset, length, units.localKey());
        if (dataLength > 0) {
            MemoryRegion payload = data();
            send.segment(payload.address() + dataOffset, dataLength, payload.localKey());
        }
        boolean signal = kind == KIND_ANSWER || unsignaled + 1 >= signalInterval;
        send.flags(signal ? SendWorkRequest.SIGNALED : 0);
        PostResult result = queuePair().postSend(send);
        if (result == PostResult.OK) {
            unsignaled = signal ? 0 : unsignaled + 1;
        }
        return result;
    }

    /** Posts receive buffer {@code index}. */
    PostResult receive(int index, int offset, int length) {
        MemoryRegion units = control();
        receive.reset(wrId(KIND_RECEIVE, index)).segment(units.address() + offset, length, units.localKey());
        return queuePair().postReceive(receive);
    }

    /** Closes everything; no completion comes after it. May be called twice. */
    void close() {
        if (queuePair != null) {
            queuePair.close();
            queuePair = null;
        }
        if (queue != null) {
            queue.close();
            queue = null;
        }
        if (control != null) {
            control.close();
            control = null;
        }
        if (data != null) {
            data.close();
            data = null;
        }
        if (!closed) {
            closed = true;
            domain.close();
        }
    }

    static int kind(long wrId) {
        return (int) (wrId >>> 32);
    }

    static int index(long wrId) {
        return (int) wrId;
    }

    private static long wrId(int kind, int index) {
        return ((long) kind << 32) | index;
    }

    private static ByteBuffer direct(int length) {
        ByteBuffer whole = ByteBuffer.allocateDirect(length + ALIGNMENT);
        int skip = whole.alignmentOffset(0, ALIGNMENT);
        return whole.slice(skip == 0 ? 0 : ALIGNMENT - skip, length);
    }

    private static <T> T present(@Nullable T object) {
        if (object == null) {
            throw new IllegalStateException("the session is closed");
        }
        return object;
    }
}
