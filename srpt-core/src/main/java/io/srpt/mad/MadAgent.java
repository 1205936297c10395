package io.srpt.mad;

import io.srpt.verbs.PostResult;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A user of a port's management datagrams: it gets the requests of one class, version and set of methods, and the
 * responses to what it sent. Made by {@link MadService#register}.
 *
 * <p>Threads: the port's loop.
 */
public final class MadAgent implements AutoCloseable {
    private final MadService service;
    private final int id;
    private final int managementClass;
    private final int classVersion;
    private final BitSet methods;
    private MadReceiveHandler receiveHandler;
    private int transactions;
    private boolean closed;

    MadAgent(
            MadService service,
            int id,
            int managementClass,
            int classVersion,
            BitSet methods,
            MadReceiveHandler receiveHandler) {
        this.service = service;
        this.id = id;
        this.managementClass = managementClass;
        this.classVersion = classVersion;
        this.methods = methods;
        this.receiveHandler = receiveHandler;
    }

    public MadService service() {
        return service;
    }

    public int managementClass() {
        return managementClass;
    }

    public int classVersion() {
        return classVersion;
    }

    /** Replaces who gets the datagrams. */
    public void receiveHandler(MadReceiveHandler handler) {
        receiveHandler = handler;
    }

    /** A transaction id of this agent that was not used before: the agent's number above a count. Never 0. */
    public long nextTransactionId() {
        transactions++;
        return (long) id << Integer.SIZE | transactions & 0xFFFF_FFFFL;
    }

    /** A buffer to fill and send, all zero; {@code null}, and counted, if the pool is empty. */
    public @Nullable MadBuffer allocate() {
        MadBuffer buffer = service.pool().acquire();
        return buffer == null ? null : buffer.clear();
    }

    /**
     * Sends {@code buffer}, which is the service's from here on whatever the result. After OK exactly one completion goes
     * to the service's {@link MadSendHandler}; after anything else none does, and the buffer is free already.
     */
    public PostResult send(MadBuffer buffer, MadAddress to) {
        return service.send(this, buffer, to, 0, 0);
    }

    /**
     * Like {@link #send} for a request with a response, which goes to the agent's {@link MadReceiveHandler}. The request
     * is repeated up to {@code retries} times, each {@code timeoutNanos} after the one before.
     */
    public PostResult sendRequest(MadBuffer buffer, MadAddress to, long timeoutNanos, int retries) {
        return service.send(this, buffer, to, Math.max(1, timeoutNanos), retries);
    }

    /** Stops it: what it has under way ends as flushed, and what it or the handlers still hold is released. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            service.onAgentClosed(this);
        }
    }

    boolean isClosed() {
        return closed;
    }

    int id() {
        return id;
    }

    MadReceiveHandler receiveHandler() {
        return receiveHandler;
    }

    boolean takes(int ofClass, int version, int method) {
        return managementClass == ofClass && classVersion == version && methods.get(method);
    }

    boolean conflictsWith(int ofClass, int version, BitSet otherMethods) {
        return managementClass == ofClass && classVersion == version && methods.intersects(otherMethods);
    }
}
