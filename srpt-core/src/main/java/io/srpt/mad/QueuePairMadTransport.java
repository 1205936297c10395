package io.srpt.mad;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionStatus;
import io.srpt.verbs.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/**
 * Management datagrams over a GSI or UD queue pair. A number of pool buffers is always posted for receives; a filled one
 * is replaced by a fresh one, and if the pool has none, its datagram is dropped and the same buffer posted again.
 *
 * <p>Work requests are named by the buffer's token, receives with bit 63 set. Each queue pair has one P_Key index, given
 * when it was moved to INIT: sends that ask for another are refused.
 *
 * <p>Threads: the port's loop.
 */
public final class QueuePairMadTransport implements MadTransport {
    private static final long RECEIVE = Long.MIN_VALUE;
    private static final int PKEY_INDEX = 0;

    private final ProtectionDomain domain;
    private final MadBufferPool pool;
    private final int receiveDepth;
    private final SendWorkRequest sendRequest = new SendWorkRequest(1);
    private final ReceiveWorkRequest receiveRequest = new ReceiveWorkRequest(1);
    private final CompletionQueue completionQueue;
    private final QueuePair queuePair;
    private @Nullable Listener listener;

    /** Makes the queue pair of a transport. */
    @FunctionalInterface
    public interface QueuePairFactory {
        /** Makes it in RESET with {@code queue} for both directions and room for these requests. */
        QueuePair create(CompletionQueue queue, int maxSends, int maxReceives) throws VerbsException;
    }

    /** Over a queue pair of {@code type} that {@code domain} makes; {@code buffers} in all, {@code receives} posted. */
    public static QueuePairMadTransport create(
            RdmaDevice device, ProtectionDomain domain, RdmaLoop loop, QueuePairType type, int buffers, int receives)
            throws VerbsException {
        return create(
                device,
                domain,
                loop,
                (queue, maxSends, maxReceives) ->
                        domain.createQueuePair(QueuePairInit.datagram(type, queue, maxSends, maxReceives)),
                buffers,
                receives);
    }

    /** Over a queue pair from {@code factory}, such as a port's own queue pair 1. */
    public static QueuePairMadTransport create(
            RdmaDevice device,
            ProtectionDomain domain,
            RdmaLoop loop,
            QueuePairFactory factory,
            int buffers,
            int receives)
            throws VerbsException {
        MadBufferPool pool = MadBufferPool.allocate(domain, buffers);
        try {
            return new QueuePairMadTransport(device, domain, loop, factory, pool, receives);
        } catch (VerbsException e) {
            pool.close();
            throw e;
        }
    }

    private QueuePairMadTransport(
            RdmaDevice device,
            ProtectionDomain domain,
            RdmaLoop loop,
            QueuePairFactory factory,
            MadBufferPool pool,
            int receives)
            throws VerbsException {
        this.domain = domain;
        this.pool = pool;
        receiveDepth = receives;
        // The loop delivers nothing before start(): no work is posted until then.
        completionQueue = device.createCompletionQueue(loop, pool.capacity(), completion -> onCompletion(completion));
        try {
            queuePair = factory.create(completionQueue, pool.capacity(), receives);
        } catch (VerbsException e) {
            completionQueue.close();
            throw e;
        }
    }

    @Override
    public MadBufferPool pool() {
        return pool;
    }

    /** The queue pair's number. */
    public int queuePairNumber() {
        return queuePair.number();
    }

    @Override
    public void start(Listener newListener) throws VerbsException {
        listener = newListener;
        queuePair.modifyToInit(QueuePair.InitAttributes.datagram(MadAddress.QUEUE_KEY));
        for (int i = 0; i < receiveDepth; i++) {
            MadBuffer buffer = pool.acquire();
            if (buffer == null) {
                break;
            }
            post(buffer);
        }
        queuePair.modifyToRtr(QueuePair.RtrAttributes.DATAGRAM);
        queuePair.modifyToRts(QueuePair.RtsAttributes.datagram(0));
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) throws VerbsException {
        return domain.createAddressHandle(vector);
    }

    @Override
    public PostResult send(MadBuffer buffer, AddressHandle handle, int remoteQueuePair, int pkeyIndex) {
        if (pkeyIndex != PKEY_INDEX) {
            return PostResult.INVALID;
        }
        return queuePair.postSend(sendRequest
                .reset(WorkRequestOpcode.SEND, buffer.token())
                .flags(SendWorkRequest.SIGNALED)
                .datagram(handle, remoteQueuePair, MadAddress.QUEUE_KEY)
                .segment(buffer.address() + MadBuffer.MAD_OFFSET, MadHeader.MAD_LENGTH, buffer.localKey()));
    }

    @Override
    public void close() {
        listener = null;
        queuePair.close();
        completionQueue.close();
        pool.close();
    }

    private void onCompletion(WorkCompletion completion) {
        Listener target = listener;
        if (target == null) {
            return;
        }
        long token = completion.wrId() & ~RECEIVE;
        if ((completion.wrId() & RECEIVE) == 0) {
            target.onSendCompletion(token, completion);
            return;
        }
        MadBuffer buffer = pool.find(token);
        if (buffer != null) {
            onReceive(target, buffer, completion);
        }
    }

    private void onReceive(Listener target, MadBuffer buffer, WorkCompletion completion) {
        if (completion.status() == WorkCompletionStatus.WORK_REQUEST_FLUSHED) {
            pool.release(buffer.token());
        } else if (completion.status() != WorkCompletionStatus.SUCCESS) {
            dropAndPostAgain(target, buffer, MadDropReason.RECEIVE_ERROR);
        } else if (completion.byteLength() < MadBuffer.LENGTH) {
            dropAndPostAgain(target, buffer, MadDropReason.BAD_LENGTH);
        } else {
            MadBuffer replacement = pool.acquire();
            if (replacement == null) {
                dropAndPostAgain(target, buffer, MadDropReason.POOL_EMPTY);
            } else {
                post(replacement);
                target.onReceive(buffer, completion);
            }
        }
    }

    private void dropAndPostAgain(Listener target, MadBuffer buffer, MadDropReason reason) {
        target.onReceiveDropped(reason);
        post(buffer);
    }

    private void post(MadBuffer buffer) {
        PostResult result = queuePair.postReceive(receiveRequest
                .reset(buffer.token() | RECEIVE)
                .segment(buffer.address(), MadBuffer.LENGTH, buffer.localKey()));
        if (result != PostResult.OK) {
            pool.release(buffer.token());
        }
    }
}
