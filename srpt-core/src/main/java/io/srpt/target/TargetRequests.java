package io.srpt.target;

import io.srpt.scsi.Sense;
import io.srpt.srp.LoginRequest;
import io.srpt.verbs.RdmaLoop;
import org.jspecify.annotations.Nullable;

/**
 * The units that a channel sends of its own accord.
 *
 * <ul>
 *   <li>SRP_CRED_REQ, when credits would be stuck: some were saved by commands that ended without response, and either no
 *       response is due that could carry them, or the initiator has so few left that it can't send what would bring one.
 *   <li>SRP_AER_REQ for a unit attention of the nexus, if the configuration says so.
 *   <li>SRP_T_LOGOUT before the target ends the channel, if the configuration says so.
 * </ul>
 *
 * <p>Of the first two one is outstanding at most: Linux keeps one buffer for its answer (pitfall 93). Nothing is sent before
 * the first unit of the initiator came: it may not have posted its receives yet (pitfall 33). Threads: the port's loop.
 */
final class TargetRequests {
    /** An initiator keeps its last credit for task management. */
    private static final int KEPT_BACK = 1;

    private final SrptChannel channel;
    private final TargetCounters counters;
    private final Credits credits;
    private final ResponseBuffers units;
    private final SendQueue sendQueue;
    private final RdmaLoop loop;
    private final Runnable sendNow = this::sendNow;
    private final int loginFlags;
    private boolean scheduled;
    private boolean heard;
    private boolean outstanding;
    private @Nullable Sense pendingEvent;
    private long pendingLun;

    /** {@code loginFlags} say which units are to be solicited events. */
    TargetRequests(SrptChannel channel, TargetCounters counters, RdmaLoop loop, int loginFlags) {
        this.channel = channel;
        this.loop = loop;
        this.counters = counters;
        this.credits = channel.credits();
        this.units = channel.responses();
        this.sendQueue = channel.sendQueue();
        this.loginFlags = loginFlags;
    }

    /** A unit came from the initiator. */
    void onUnit() {
        heard = true;
    }

    /** SRP_CRED_RSP or SRP_AER_RSP came. */
    void onAnswered() {
        outstanding = false;
        send();
    }

    /** Credits, or the queue, changed: sends what is due, unless a response that is about to be posted carries it. */
    void send() {
        if ((credits.saved() == 0 && pendingEvent == null) || outstanding || scheduled) {
            return;
        }
        scheduled = true;
        loop.execute(sendNow);
    }

    private void sendNow() {
        scheduled = false;
        if ((credits.saved() == 0 && pendingEvent == null)
                || outstanding
                || !heard
                || !channel.isLive()
                || !sendQueue.isReady()) {
            return;
        }
        Sense event = pendingEvent;
        if (event != null) {
            pendingEvent = null;
            units.asyncEvent(
                    channel.id(), credits.takeSaved(), pendingLun, event, asks(LoginRequest.SOLICIT_ASYNC_EVENT));
            outstanding = sendQueue.postRequest(WorkRequestId.REQUEST, units.requestIndex());
            counters.asyncEventRequests.increment();
        } else if (channel.dispatcher().inUse() == 0 || credits.peer() <= KEPT_BACK) {
            units.creditRequest(channel.id(), credits.takeSaved(), asks(LoginRequest.SOLICIT_CREDIT_REQUEST));
            outstanding = sendQueue.postRequest(WorkRequestId.REQUEST, units.requestIndex());
            counters.creditRequests.increment();
        }
    }

    /**
     * Tells the initiator of an event of a unit. While another request is outstanding it waits; an event that waits is
     * replaced by a later one, for it is a hint: what happened is also pending as unit attention.
     */
    void asyncEvent(long lun, Sense event) {
        pendingLun = lun;
        pendingEvent = event;
        send();
    }

    /** Sends SRP_T_LOGOUT; returns whether it was posted, and will complete. */
    boolean logout(int reason) {
        if (!heard) {
            return false;
        }
        units.logout(channel.id(), reason, asks(LoginRequest.SOLICIT_LOGOUT));
        if (!sendQueue.postRequest(WorkRequestId.LOGOUT, units.logoutIndex())) {
            return false;
        }
        counters.targetLogouts.increment();
        return true;
    }

    private boolean asks(int flag) {
        return (loginFlags & flag) != 0;
    }
}
