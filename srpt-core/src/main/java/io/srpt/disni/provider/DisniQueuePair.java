package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.impl.NatIbvQP;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue pair of the device. It keeps a ring of what is posted in each direction, since a device tells neither how much room
 * is left nor, in a failed completion, more than a number.
 */
final class DisniQueuePair implements QueuePair, CompletionTarget {
    private static final Logger LOG = LoggerFactory.getLogger(DisniQueuePair.class);
    private static final int QUEUE_KEY_IS_PRIVILEGED = 1 << 31;
    private static final int EPERM = 1;

    private final DisniDevice device;
    private final QueuePairInit init;
    private final long pointer;
    private final int number;
    private final long numbers;
    private final PostCalls calls;
    private final PostedRing sends;
    private final PostedRing receives;
    private QueuePairState state = QueuePairState.RESET;
    private @Nullable DisniConnection connection;
    private boolean closed;

    DisniQueuePair(DisniDevice device, DisniProtectionDomain domain, QueuePairInit init) throws VerbsException {
        if (init.type() == QueuePairType.GSI) {
            throw new VerbsException(device.name() + ": queue pair 1 belongs to the kernel");
        }
        this.device = device;
        this.init = init;
        numbers = device.targets().reserve();
        pointer = Records.check(
                VerbsNative.createQueuePair(Records.address(record(domain, init))),
                device.name() + ": a queue pair with " + init.maxSendRequests() + " sends and "
                        + init.maxReceiveRequests() + " receives");
        try {
            NatIbvQP queuePair = new NatIbvQP(pointer, Dispatcher.INSTANCE);
            number = queuePair.getQp_num();
            calls = new PostCalls(queuePair, pointer, init.maxSendSegments(), init.maxReceiveSegments());
        } catch (IOException e) {
            VerbsNative.destroyQueuePair(pointer);
            throw new VerbsException(device.name() + ": a queue pair could not be used: " + e.getMessage(), e);
        }
        sends = new PostedRing(init.maxSendRequests());
        receives = new PostedRing(Math.max(1, init.maxReceiveRequests()));
        device.targets().put(this);
        device.counters().queuePairs().increment();
    }

    private static ByteBuffer record(DisniProtectionDomain domain, QueuePairInit init) {
        ByteBuffer record = Records.allocate(Records.INIT);
        SharedReceiveQueue shared = init.sharedReceives();
        record.putLong(0, domain.pointer());
        record.putLong(8, ((DisniCompletionQueue) init.sendQueue()).pointer());
        record.putLong(16, ((DisniCompletionQueue) init.receiveQueue()).pointer());
        record.putLong(24, shared == null ? 0 : ((DisniSharedReceiveQueue) shared).pointer());
        record.putInt(32, init.type() == QueuePairType.RC ? 0 : 1);
        record.putInt(36, init.maxSendRequests());
        record.putInt(40, init.maxReceiveRequests());
        record.putInt(44, init.maxSendSegments());
        record.putInt(48, init.maxReceiveSegments());
        return record;
    }

    long pointer() {
        return pointer;
    }

    /** The connection that it belongs to, for events that come before RTU. */
    void connection(DisniConnection newConnection) {
        connection = newConnection;
    }

    boolean hasSharedReceives() {
        return init.sharedReceives() != null;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return init.type();
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    // ---- states -------------------------------------------------------------------------------------------------

    @Override
    public void modifyToInit(InitAttributes attributes) throws VerbsException {
        require(QueuePairState.RESET);
        int result = VerbsNative.toInit(
                pointer, DisniPort.NUMBER, attributes.pkeyIndex(), attributes.access(), attributes.qKey());
        if (result == -EPERM && (attributes.qKey() & QUEUE_KEY_IS_PRIVILEGED) != 0) {
            throw new VerbsException(device.name() + ": this Q_Key is for those with the capability CAP_NET_RAW");
        }
        enter(result, QueuePairState.INIT);
    }

    @Override
    public void modifyToRtr(RtrAttributes attributes) throws VerbsException {
        require(QueuePairState.INIT);
        long path = type() == QueuePairType.RC ? Records.address(device.pathRecord(attributes.path())) : 0;
        enter(
                VerbsNative.toRtr(
                        pointer,
                        path,
                        attributes.pathMtu(),
                        attributes.remoteQueuePair(),
                        attributes.receivePsn(),
                        attributes.maxInboundReads(),
                        attributes.minRnrTimer()),
                QueuePairState.RTR);
    }

    @Override
    public void modifyToRts(RtsAttributes attributes) throws VerbsException {
        if (state != QueuePairState.SQE) {
            require(QueuePairState.RTR);
        }
        enter(
                VerbsNative.toRts(
                        pointer,
                        attributes.sendPsn(),
                        attributes.ackTimeout(),
                        attributes.retryCount(),
                        attributes.rnrRetryCount(),
                        attributes.maxOutboundReads()),
                QueuePairState.RTS);
    }

    /** As the connection manager of the kernel wants it for connection {@code id}. */
    void modifyByConnection(long id, QueuePairState next, int reads) throws VerbsException {
        enter(VerbsNative.toStateOfConnection(pointer, id, next.ordinal(), reads, DisniConnection.MIN_RNR_TIMER), next);
    }

    @Override
    public void modifyToError() {
        if (state == QueuePairState.ERR || closed) {
            return;
        }
        int result = VerbsNative.toError(pointer);
        if (result < 0) {
            LOG.warn("{}: queue pair {} could not be moved to ERR: error {}", device.name(), number, -result);
        }
        LOG.debug("QP {} {} -> ERR", number, state);
        state = QueuePairState.ERR;
    }

    private void require(QueuePairState expected) throws VerbsException {
        if (state != expected || closed) {
            throw new VerbsException("queue pair " + number + " is in " + (closed ? "use no more" : state)
                    + ", this change starts from " + expected);
        }
    }

    private void enter(int result, QueuePairState next) throws VerbsException {
        Records.check(result, "moving queue pair " + number + " from " + state + " to " + next);
        LOG.debug("QP {} {} -> {}", number, state, next);
        state = next;
    }

    // ---- work ---------------------------------------------------------------------------------------------------

    @Override
    public PostResult postSend(SendWorkRequest request) {
        if (state != QueuePairState.RTS && state != QueuePairState.ERR && state != QueuePairState.SQE) {
            return PostResult.WRONG_STATE;
        }
        if (request.segments().count() > init.maxSendSegments()
                || request.segments().byteLength() > Integer.MAX_VALUE) {
            return PostResult.INVALID;
        }
        boolean datagram = type() == QueuePairType.UD;
        if (datagram && request.addressHandle() == null) {
            return PostResult.INVALID;
        }
        if (sends.isFull()) {
            return PostResult.QUEUE_FULL;
        }
        int slot = sends.next();
        try {
            if (datagram && request.addressHandle() instanceof DisniAddressHandle handle) {
                calls.send(
                        request,
                        WorkRequestNumber.ofSend(numbers, slot),
                        handle.pointer(),
                        request.remoteQueuePair(),
                        request.remoteQKey());
            } else {
                calls.send(
                        request,
                        WorkRequestNumber.ofSend(numbers, slot),
                        request.remoteAddress(),
                        request.remoteKey(),
                        0);
            }
        } catch (IOException e) {
            LOG.debug("QP {} took no send: {}", number, e.getMessage());
            return PostResult.INVALID;
        }
        sends.post(request.wrId());
        return PostResult.OK;
    }

    @Override
    public PostResult postReceive(ReceiveWorkRequest request) {
        if (hasSharedReceives() || request.segments().count() > init.maxReceiveSegments()) {
            return PostResult.INVALID;
        }
        if (state == QueuePairState.RESET) {
            return PostResult.WRONG_STATE;
        }
        if (receives.isFull()) {
            return PostResult.QUEUE_FULL;
        }
        int slot = receives.next();
        try {
            calls.receive(request, WorkRequestNumber.ofReceive(numbers, slot));
        } catch (IOException e) {
            LOG.debug("QP {} took no receive: {}", number, e.getMessage());
            return PostResult.INVALID;
        }
        receives.post(request.wrId());
        if (type() == QueuePairType.UD && request.segments().count() > 0) {
            receives.memory(slot, request.segments().address(0));
        }
        return PostResult.OK;
    }

    @Override
    public int freeSendSlots() {
        return sends.free();
    }

    @Override
    public long numbers() {
        return numbers;
    }

    @Override
    public void onCompletion(IbvWC raw, DisniCompletion completion, CompletionListener listener) {
        long name = raw.getWr_id();
        boolean receive = WorkRequestNumber.isReceive(name);
        int slot = WorkRequestNumber.slot(name);
        PostedRing ring = receive ? receives : sends;
        long wrId = ring.wrId(slot);
        ring.completeUpTo(slot);
        completion.show(raw, wrId, number, receive);
        if (receive && type() == QueuePairType.UD && raw.getStatus() == 0) {
            completion.datagram(
                    RouteHeader.source(ring.memory(slot)), device.indexOf(RouteHeader.destination(ring.memory(slot))));
        }
        listener.onCompletion(completion);
    }

    // ---- events -------------------------------------------------------------------------------------------------

    void onEvent(QueuePairEventListener.Event event) {
        LOG.debug("QP {} event {}", number, event);
        DisniConnection belongsTo = connection;
        if (event == QueuePairEventListener.Event.COMMUNICATION_ESTABLISHED && belongsTo != null) {
            belongsTo.onCommunicationEstablished();
        }
        if (event == QueuePairEventListener.Event.FATAL) {
            modifyToError();
        }
        init.listener().onQueuePairEvent(this, event);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        state = QueuePairState.RESET;
        int result = VerbsNative.destroyQueuePair(pointer);
        if (result < 0) {
            LOG.warn("{}: queue pair {} could not be destroyed: error {}", device.name(), number, -result);
        }
        calls.free();
        device.targets().remove(this);
        device.counters().queuePairs().decrement();
    }

    @Override
    public String toString() {
        return init.type() + " queue pair " + number + " (" + state + ")";
    }
}
