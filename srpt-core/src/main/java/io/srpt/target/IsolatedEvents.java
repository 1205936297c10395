package io.srpt.target;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import io.srpt.verbs.QueuePairEventListener;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands events on to a listener of others; what it throws is counted, logged once, and goes no further. */
final class IsolatedEvents implements TargetEvents {
    private static final Logger LOG = LoggerFactory.getLogger(IsolatedEvents.class);

    private final TargetEvents listener;
    private final TargetCounters counters;
    private boolean logged;

    IsolatedEvents(TargetEvents listener, TargetCounters counters) {
        this.listener = listener;
        this.counters = counters;
    }

    @Override
    public void onLogin(ChannelInfo channel) {
        isolate(() -> listener.onLogin(channel));
    }

    @Override
    public void onLoginRejected(
            String port, PortId initiator, InetAddress address, LoginRejectReason reason, String detail) {
        isolate(() -> listener.onLoginRejected(port, initiator, address, reason, detail));
    }

    @Override
    public void onChannelState(ChannelInfo channel, ChannelState before) {
        isolate(() -> listener.onChannelState(channel, before));
    }

    @Override
    public void onChannelReleased(ChannelInfo channel, ChannelEnd cause) {
        isolate(() -> listener.onChannelReleased(channel, cause));
    }

    @Override
    public void onConnectionEvent(ChannelInfo channel, ConnectionEvent event) {
        isolate(() -> listener.onConnectionEvent(channel, event));
    }

    @Override
    public void onQueuePairEvent(ChannelInfo channel, QueuePairEventListener.Event event) {
        isolate(() -> listener.onQueuePairEvent(channel, event));
    }

    @Override
    public void onTaskManagement(ChannelInfo channel, int function, long lun, long taskTag, int response) {
        isolate(() -> listener.onTaskManagement(channel, function, lun, taskTag, response));
    }

    @Override
    public void onError(String port, String message) {
        isolate(() -> listener.onError(port, message));
    }

    private void isolate(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            counters.handlerErrors.increment();
            if (!logged) {
                logged = true;
                LOG.warn("A listener of target events failed; further failures are only counted", e);
            }
        }
    }
}
