package io.srpt.mad;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sends of a port, each from its post until its owner has released it and the transport has let go of it.
 *
 * <pre>
 *   post ──▶ under way ──▶ [awaits its response, is sent again] ──▶ ended: one completion to the owner ──▶ released, free
 *      └──▶ held by a fault ──▶ posted late, or ended as if it had gone out
 * </pre>
 *
 * <p>Threads: the port's loop.
 */
final class MadSends {
    private static final Logger LOG = LoggerFactory.getLogger(MadSends.class);

    private final RdmaLoop loop;
    private final MadTransport transport;
    private final MadBufferPool pool;
    private final MadCounters counters;
    private final MadHandlerFailures failures;
    private final @Nullable MadSend[] sends;
    private final MadHeader header = new MadHeader();
    private MadSendHandler handler = new ReleasingMadSendHandler();
    private @Nullable MadReplyFaults faults;

    MadSends(RdmaLoop loop, MadTransport transport, MadCounters counters, MadHandlerFailures failures) {
        this.loop = loop;
        this.transport = transport;
        this.pool = transport.pool();
        this.counters = counters;
        this.failures = failures;
        sends = new MadSend[pool.capacity()];
    }

    MadSendHandler handler() {
        return handler;
    }

    void handler(MadSendHandler next) {
        handler = next;
    }

    void faults(@Nullable MadReplyFaults next) {
        faults = next;
    }

    /** Frees an ended send, at once or when the transport lets go of it. False, and counted, if that was done before. */
    boolean release(long token) {
        MadSend send = find(token);
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

    /** Whether the owner of a send that ended has not released it yet. */
    boolean isHeld(long token) {
        MadSend send = find(token);
        return send != null && send.ended && !send.releaseWanted;
    }

    PostResult post(MadAgent agent, MadBuffer buffer, MadAddress to, long timeoutNanos, int retries) {
        AddressHandle handle;
        try {
            handle = transport.createAddressHandle(to.vector());
        } catch (VerbsException e) {
            LOG.debug("No address handle to {}", to, e);
            return refuse(buffer, PostResult.INVALID);
        }
        MadReplyFaults asked = faults;
        if (asked != null) {
            MadReplyFault fault = asked.ask(buffer, to);
            if (fault.kind() != MadReplyFault.Kind.PASS) {
                hold(new MadSend(this, agent, buffer, to, handle, timeoutNanos, retries), fault);
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
        sends[buffer.index()] = new MadSend(this, agent, buffer, to, handle, timeoutNanos, retries);
        return result;
    }

    PostResult refuse(MadBuffer buffer, PostResult result) {
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

    long nanoTime() {
        return loop.nanoTime();
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
        if (postAgain(send) != PostResult.OK) {
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
        if (postAgain(send) != PostResult.OK) {
            loop.schedule(send.timer, loop.nanoTime() + send.timeoutNanos);
        }
    }

    private PostResult postAgain(MadSend send) {
        PostResult result = transport.send(send.buffer, send.handle, send.to.queuePair(), send.to.pkeyIndex());
        if (result == PostResult.OK) {
            counters.sent.increment();
            send.posted = true;
        } else {
            counters.sendsRefused.increment();
        }
        return result;
    }

    /** The transport is through with a send. */
    void onCompletion(long token, WorkCompletion completion) {
        MadSend send = find(token);
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

    /** The send that waits for this response from {@code source}, null if none does. */
    @Nullable
    MadSend findRequest(long transactionId, int managementClass, MadAddress source) {
        for (MadSend send : sends) {
            if (send != null
                    && send.awaitsResponse()
                    && send.transactionId == transactionId
                    && send.managementClass == managementClass
                    && send.to.gid().equals(source.gid())) {
                return send;
            }
        }
        return null;
    }

    /** Its response is there: nothing is sent again. */
    void answered(MadSend send) {
        loop.cancel(send.timer);
        send.answered = true;
    }

    /** Its response was delivered: it ends, or will when the transport is through with it. */
    void endAnswered(MadSend send) {
        if (!send.posted && !send.ended) {
            end(send, WorkCompletionStatus.SUCCESS, 0);
        }
    }

    /** Ends what {@code agent} has under way, and releases what its owner has not, unless the owner keeps that. */
    void endAll(MadAgent agent) {
        boolean kept = handler.keepsAfterAgentClosed();
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
    }

    /** The transport is closed and holds nothing any more. */
    void freeAll() {
        for (MadSend send : sends) {
            if (send != null) {
                free(send);
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
            handler.onSendCompletion(send.agent, completion);
        } catch (RuntimeException e) {
            failures.report("send", e);
            releaseIfHeld(send);
        }
    }

    private void releaseIfHeld(MadSend send) {
        if (find(send.token) == send && !send.releaseWanted) {
            counters.fallbackReleases.increment();
            release(send.token);
        }
    }

    private void free(MadSend send) {
        sends[send.buffer.index()] = null;
        send.handle.close();
        counters.addressHandles.decrement();
        pool.release(send.token);
    }

    private @Nullable MadSend find(long token) {
        int index = (int) token;
        MadSend send = index < 0 || index >= sends.length ? null : sends[index];
        return send != null && send.token == token ? send : null;
    }
}
