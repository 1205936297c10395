package io.srpt.mad;

import io.srpt.verbs.PostResult;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private final String name;
    private final RdmaLoop loop;
    private final MadTransport transport;
    private final MadBufferPool pool;
    private final MadCounters counters = new MadCounters();
    private final List<MadAgent> agents = new ArrayList<>();
    private final MadHandlerFailures failures = new MadHandlerFailures(counters);
    private final MadSends sends;
    private final @Nullable ReceivedMad[] receives;
    private final MadHeader header = new MadHeader();
    private final MadAgent unclaimed;
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
        sends = new MadSends(loop, transport, counters, failures);
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
        sends.handler(handler);
    }

    /** The owner of send completions now. */
    public MadSendHandler sendHandler() {
        return sends.handler();
    }

    /** Asks {@code interceptor} about every reply from now on, null for nobody. */
    public void replyInterceptor(@Nullable MadReplyInterceptor interceptor) {
        assert loop.inEventLoop();
        sends.faults(interceptor == null ? null : new MadReplyFaults(name, counters, interceptor));
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
        callOnClosed(sends.handler()::onClosed);
        transport.close();
        sends.freeAll();
    }

    /**
     * Frees the address handle and the buffer of an ended send; at once, or when the transport lets go of them. False,
     * and counted, if that was done before.
     */
    public boolean releaseSend(long token) {
        assert loop.inEventLoop();
        return sends.release(token);
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
        return sends.isHeld(token);
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
            return sends.refuse(buffer, PostResult.WRONG_STATE);
        }
        return sends.post(agent, buffer, to, timeoutNanos, retries);
    }

    void onAgentClosed(MadAgent agent) {
        assert loop.inEventLoop();
        agents.remove(agent);
        sends.endAll(agent);
        callOnClosed(() -> agent.receiveHandler().onClosed(agent));
        for (ReceivedMad mad : receives) {
            if (mad != null && mad.agent() == agent) {
                counters.fallbackReleases.increment();
                mad.release();
            }
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
        MadSend request = sends.findRequest(header.transactionId(), header.managementClass(), source);
        if (request == null) {
            drop(buffer, MadDropReason.UNMATCHED_RESPONSE);
            return;
        }
        sends.answered(request);
        deliver(request.agent, buffer, source);
        sends.endAnswered(request);
    }

    private void deliver(MadAgent agent, MadBuffer buffer, MadAddress source) {
        counters.received.increment();
        countReceive(MadReceiveResult.DELIVERED);
        ReceivedMad mad = new ReceivedMad(agent, buffer, buffer.token(), source);
        receives[buffer.index()] = mad;
        try {
            agent.receiveHandler().onReceive(agent, mad);
        } catch (RuntimeException e) {
            failures.report("receive", e);
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
            failures.report("closing", e);
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

    private final class TransportListener implements MadTransport.Listener {
        @Override
        public void onSendCompletion(long token, WorkCompletion completion) {
            sends.onCompletion(token, completion);
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
