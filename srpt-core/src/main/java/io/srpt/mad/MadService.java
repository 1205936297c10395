package io.srpt.mad;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management datagrams of one port: it registers agents, gives each datagram that comes to one of them, and delivers
 * each send completion once to the {@link MadSendHandler}.
 *
 * <p>What comes in: a response goes to the agent whose number is in its transaction id, if that agent waits for it; a
 * request to the agent of its class, version and method. A Get or Set that nobody takes is answered with status 0x000C,
 * as Linux does; everything else is dropped and counted.
 *
 * <p>Who releases what: the {@link MadSendHandler} each send, the {@link MadReceiveHandler} each received datagram, and
 * the service whatever is left when an agent closes.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class MadService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MadService.class);

    private final String name;
    private final RdmaLoop loop;
    private final MadTransport transport;
    private final MadBufferPool pool;
    private final MadCounters counters = new MadCounters();
    private final List<MadAgent> agents = new ArrayList<>();
    private final @Nullable MadSend[] sends;
    private final @Nullable ReceivedMad[] receives;
    private final MadHeader header = new MadHeader();
    private final MadAgent unclaimed;
    private MadSendHandler sendHandler = new ReleasingMadSendHandler();
    private @Nullable MadReplyFaults replyFaults;
    private int lastAgentId;
    private boolean closed;

    /** On {@code loop}, which is also the transport's; {@link #start()} begins to receive. */
    public MadService(RdmaLoop loop, MadTransport transport) {
        this(loop.name(), loop, transport);
    }

    /** Like {@link #MadService(RdmaLoop, MadTransport)}, for the port called {@code name}. */
    public MadService(String name, RdmaLoop loop, MadTransport transport) {
        this.name = name;
        this.loop = loop;
        this.transport = transport;
        pool = transport.pool();
        sends = new MadSend[pool.capacity()];
        receives = new ReceivedMad[pool.capacity()];
        unclaimed = new MadAgent(this, 0, 0, 0, new BitSet(), MadReceiveHandler.IGNORE);
    }

    /** Begins to receive. */
    public void start() throws VerbsException {
        assert loop.inEventLoop();
        transport.start(new TransportListener());
    }

    /**
     * Registers an agent for requests of a class, version and methods; without methods it only gets responses. Throws if
     * another agent has one of them.
     */
    public MadAgent register(int managementClass, int classVersion, MadReceiveHandler handler, int... methods)
            throws VerbsException {
        assert loop.inEventLoop();
        BitSet set = new BitSet();
        for (int method : methods) {
            set.set(method);
        }
        for (MadAgent other : agents) {
            if (other.conflictsWith(managementClass, classVersion, set)) {
                throw new VerbsException("MAD class 0x" + Integer.toHexString(managementClass) + " version "
                        + classVersion + " has an agent for one of the methods " + set);
            }
        }
        MadAgent agent = new MadAgent(this, ++lastAgentId, managementClass, classVersion, set, handler);
        agents.add(agent);
        return agent;
    }

    /** Replaces the owner of send completions. Completions delivered before stay with the owner they went to. */
    public void sendHandler(MadSendHandler handler) {
        assert loop.inEventLoop();
        sendHandler = handler;
    }

    /** The owner of send completions now. */
    public MadSendHandler sendHandler() {
        return sendHandler;
    }

    /** Asks {@code interceptor} about every reply from now on, null for nobody. */
    public void replyInterceptor(@Nullable MadReplyInterceptor interceptor) {
        assert loop.inEventLoop();
        replyFaults = interceptor == null ? null : new MadReplyFaults(name, counters, interceptor);
    }

    /** Whether agents may send requests: responses come back. Any thread. */
    public boolean takesResponses() {
        return transport.takesResponses();
    }

    /** Name of the port, such as {@code roce-eth0/1}. Any thread. */
    public String name() {
        return name;
    }

    /** The loop that owns it. Any thread. */
    public RdmaLoop loop() {
        return loop;
    }

    /** The buffers. */
    public MadBufferPool pool() {
        return pool;
    }

    /** Any thread. */
    public MadCounters counters() {
        return counters;
    }

    /** Closes all agents and the transport. */
    @Override
    public void close() {
        assert loop.inEventLoop();
        if (closed) {
            return;
        }
        closed = true;
        while (!agents.isEmpty()) {
            agents.getLast().close();
        }
        onAgentClosed(unclaimed);
        callOnClosed(sendHandler::onClosed);
        transport.close();
        for (MadSend send : sends) {
            if (send != null) {
                free(send);
            }
        }
    }

    /**
     * Frees the address handle and the buffer of an ended send; at once, or when the transport lets go of them. False,
     * and counted, if that was done before.
     */
    public boolean releaseSend(long token) {
        assert loop.inEventLoop();
        MadSend send = findSend(token);
        if (send == null || !send.ended || send.releaseWanted) {
            counters.staleSendReleases.increment();
            return false;
        }
        counters.sendsReleased.increment();
        if (send.posted) {
            send.releaseWanted = true;
        } else {
            free(send);
        }
        return true;
    }

    boolean releaseReceived(long token) {
        assert loop.inEventLoop();
        if (pool.find(token) != null) {
            receives[(int) token] = null;
            counters.receivesReleased.increment();
        }
        return pool.release(token);
    }

    /** Whether the owner of a send that ended has not released it yet. */
    boolean isHeldSend(long token) {
        MadSend send = findSend(token);
        return send != null && send.ended && !send.releaseWanted;
    }

    /** Whether the owner of a datagram that came has not released it yet. */
    boolean isHeldReceive(long token) {
        int index = (int) token;
        ReceivedMad mad = index < 0 || index >= receives.length ? null : receives[index];
        return mad != null && mad.token() == token;
    }

    PostResult send(MadAgent agent, MadBuffer buffer, MadAddress to, long timeoutNanos, int retries) {
        assert loop.inEventLoop();
        if (agent.isClosed() || closed) {
            return refuse(buffer, PostResult.WRONG_STATE);
        }
        AddressHandle handle;
        try {
            handle = transport.createAddressHandle(to.vector());
        } catch (VerbsException e) {
            LOG.debug("No address handle to {}", to, e);
            return refuse(buffer, PostResult.INVALID);
        }
        MadReplyFaults faults = replyFaults;
        if (faults != null) {
            MadReplyFault fault = faults.ask(buffer, to);
            if (fault.kind() != MadReplyFault.Kind.PASS) {
                hold(new MadSend(agent, buffer, to, handle, timeoutNanos, retries), fault);
                return PostResult.OK;
            }
        }
        PostResult result = transport.send(buffer, handle, to.queuePair(), to.pkeyIndex());
        if (result != PostResult.OK) {
            handle.close();
            return refuse(buffer, result);
        }
        counters.sent.increment();
        counters.addressHandles.increment();
        sends[buffer.index()] = new MadSend(agent, buffer, to, handle, timeoutNanos, retries);
        return result;
    }

    private PostResult refuse(MadBuffer buffer, PostResult result) {
        counters.sendsRefused.increment();
        pool.release(buffer.token());
        return result;
    }

    /** Keeps a reply from the wire: for a time, or, if it is lost, for good; then it ends in the next turn. */
    private void hold(MadSend send, MadReplyFault fault) {
        counters.addressHandles.increment();
        sends[send.buffer.index()] = send;
        send.posted = false;
        send.held = fault.kind();
        loop.schedule(send.timer, loop.nanoTime() + fault.nanos());
    }

    /** The timer of a send rang: no response came, or it was held for long enough. */
    void onTimer(MadSend send) {
        MadReplyFault.Kind held = send.held;
        send.held = MadReplyFault.Kind.PASS;
        switch (held) {
            case PASS -> onResponseTimeout(send);
            case DROP -> end(send, WorkCompletionStatus.SUCCESS, 0);
            case DELAY -> postHeld(send);
        }
    }

    private void postHeld(MadSend send) {
        if (transport.send(send.buffer, send.handle, send.to.queuePair(), send.to.pkeyIndex()) == PostResult.OK) {
            counters.sent.increment();
            send.posted = true;
        } else {
            counters.sendsRefused.increment();
            end(send, WorkCompletionStatus.GENERAL_ERROR, 0);
        }
    }

    private void onResponseTimeout(MadSend send) {
        if (send.retriesLeft == 0) {
            counters.responseTimeouts.increment();
            end(send, WorkCompletionStatus.RESPONSE_TIMEOUT, 0);
            return;
        }
        send.retriesLeft--;
        counters.retries.increment();
        PostResult result = transport.send(send.buffer, send.handle, send.to.queuePair(), send.to.pkeyIndex());
        if (result == PostResult.OK) {
            counters.sent.increment();
            send.posted = true;
        } else {
            counters.sendsRefused.increment();
            loop.schedule(send.timer, loop.nanoTime() + send.timeoutNanos);
        }
    }

    void onAgentClosed(MadAgent agent) {
        assert loop.inEventLoop();
        agents.remove(agent);
        boolean kept = sendHandler.keepsAfterAgentClosed();
        for (MadSend send : sends) {
            if (send != null && send.agent == agent) {
                if (!send.ended) {
                    end(send, WorkCompletionStatus.WORK_REQUEST_FLUSHED, 0);
                }
                if (!kept) {
                    releaseIfHeld(send);
                }
            }
        }
        callOnClosed(() -> agent.receiveHandler().onClosed(agent));
        for (ReceivedMad mad : receives) {
            if (mad != null && mad.agent() == agent) {
                counters.fallbackReleases.increment();
                mad.release();
            }
        }
    }

    /** Delivers the completion of {@code send}: the one place that does, and it does it once. */
    private void end(MadSend send, WorkCompletionStatus status, int vendorError) {
        loop.cancel(send.timer);
        send.ended = true;
        counters.sendNanos.record(loop.nanoTime() - send.postedNanos);
        header.wrap(send.buffer.buffer(), MadBuffer.MAD_OFFSET);
        MadSendCompletion completion = new MadSendCompletion(
                send.agent, send.token, status, vendorError, header.method(), header.attributeId(), send.transactionId);
        try {
            sendHandler.onSendCompletion(send.agent, completion);
        } catch (RuntimeException e) {
            onHandlerFailure("send", e);
            releaseIfHeld(send);
        }
    }

    private void releaseIfHeld(MadSend send) {
        if (findSend(send.token) == send && !send.releaseWanted) {
            counters.fallbackReleases.increment();
            releaseSend(send.token);
        }
    }

    private void free(MadSend send) {
        sends[send.buffer.index()] = null;
        send.handle.close();
        counters.addressHandles.decrement();
        pool.release(send.token);
    }

    private @Nullable MadSend findSend(long token) {
        int index = (int) token;
        MadSend send = index < 0 || index >= sends.length ? null : sends[index];
        return send != null && send.token == token ? send : null;
    }

    private void onSendCompletion(long token, WorkCompletion completion) {
        MadSend send = findSend(token);
        if (send == null) {
            return;
        }
        send.posted = false;
        if (send.ended) {
            if (send.releaseWanted) {
                free(send);
            }
        } else if (completion.status() == WorkCompletionStatus.SUCCESS && send.awaitsResponse()) {
            loop.schedule(send.timer, loop.nanoTime() + send.timeoutNanos);
        } else {
            end(send, completion.status(), completion.vendorError());
        }
    }

    private void onReceive(MadBuffer buffer, WorkCompletion completion) {
        header.wrap(buffer.buffer(), MadBuffer.MAD_OFFSET);
        MadAddress source = new MadAddress(
                completion.sourceGid(),
                completion.destinationGidIndex(),
                completion.sourceQueuePair(),
                completion.pkeyIndex());
        if (header.baseVersion() != MadHeader.BASE_VERSION) {
            drop(buffer, MadDropReason.BAD_BASE_VERSION);
        } else if (header.isResponse()) {
            onResponse(buffer, source);
        } else {
            onRequest(buffer, source);
        }
    }

    private void onRequest(MadBuffer buffer, MadAddress source) {
        int method = header.method();
        for (int i = 0; i < agents.size(); i++) {
            MadAgent agent = agents.get(i);
            if (agent.takes(header.managementClass(), header.classVersion(), method)) {
                deliver(agent, buffer, source);
                return;
            }
        }
        if (method == MadHeader.METHOD_GET || method == MadHeader.METHOD_SET) {
            counters.unsupportedReplies.increment();
            countReceive(MadReceiveResult.NOT_SUPPORTED);
            header.method(MadHeader.METHOD_GET_RESPONSE).status(MadHeader.STATUS_ATTRIBUTE_NOT_SUPPORTED);
            send(unclaimed, buffer, source, 0, 0);
        } else {
            drop(buffer, MadDropReason.NO_AGENT);
        }
    }

    private void onResponse(MadBuffer buffer, MadAddress source) {
        long transactionId = header.transactionId();
        int managementClass = header.managementClass();
        for (MadSend send : sends) {
            if (send != null
                    && send.awaitsResponse()
                    && send.transactionId == transactionId
                    && send.managementClass == managementClass
                    && send.to.gid().equals(source.gid())) {
                loop.cancel(send.timer);
                send.answered = true;
                deliver(send.agent, buffer, source);
                if (!send.posted && !send.ended) {
                    end(send, WorkCompletionStatus.SUCCESS, 0);
                }
                return;
            }
        }
        drop(buffer, MadDropReason.UNMATCHED_RESPONSE);
    }

    private void deliver(MadAgent agent, MadBuffer buffer, MadAddress source) {
        counters.received.increment();
        countReceive(MadReceiveResult.DELIVERED);
        ReceivedMad mad = new ReceivedMad(agent, buffer, buffer.token(), source);
        receives[buffer.index()] = mad;
        try {
            agent.receiveHandler().onReceive(agent, mad);
        } catch (RuntimeException e) {
            onHandlerFailure("receive", e);
            if (receives[buffer.index()] == mad) {
                counters.fallbackReleases.increment();
                mad.release();
            }
        }
    }

    private void callOnClosed(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            onHandlerFailure("closing", e);
        }
    }

    private void drop(MadBuffer buffer, MadDropReason reason) {
        counters.dropped(reason).increment();
        countReceive(MadReceiveResult.of(reason));
        pool.release(buffer.token());
    }

    private void countReceive(MadReceiveResult result) {
        counters.receives(MadAttribute.of(header.managementClass(), header.attributeId()), result)
                .increment();
    }

    private void onHandlerFailure(String which, RuntimeException failure) {
        counters.handlerFailures.increment();
        if (counters.handlerFailures.get() == 1) {
            LOG.error("A MAD {} handler failed; further failures are only counted", which, failure);
        } else {
            LOG.debug("A MAD {} handler failed", which, failure);
        }
    }

    private final class TransportListener implements MadTransport.Listener {
        @Override
        public void onSendCompletion(long token, WorkCompletion completion) {
            MadService.this.onSendCompletion(token, completion);
        }

        @Override
        public void onReceive(MadBuffer buffer, WorkCompletion completion) {
            MadService.this.onReceive(buffer, completion);
        }

        @Override
        public void onReceiveDropped(MadDropReason reason) {
            counters.dropped(reason).increment();
            counters.receives(MadAttribute.NONE, MadReceiveResult.of(reason)).increment();
        }
    }
}
