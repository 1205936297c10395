package io.srpt.reactor;

import io.srpt.reactor.event.ChannelReleased;
import io.srpt.reactor.event.ChannelStateChanged;
import io.srpt.reactor.event.ConnectionIncident;
import io.srpt.reactor.event.LoginAccepted;
import io.srpt.reactor.event.LoginRejected;
import io.srpt.reactor.event.QueuePairIncident;
import io.srpt.reactor.event.TaskManagementDone;
import io.srpt.reactor.jfr.JfrEvents;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import io.srpt.target.ChannelEnd;
import io.srpt.target.ChannelInfo;
import io.srpt.target.ChannelState;
import io.srpt.target.ConnectionEvent;
import io.srpt.target.TargetEvents;
import io.srpt.verbs.QueuePairEventListener;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;

/** Takes a target's events to the flight recorder, to observers, and to listeners of the target's own kind. */
final class TargetTap implements TargetEvents {
    private final EventStream channels;
    private final EventStream logins;
    private final EventStream taskManagement;
    private final List<TargetEvents> others;
    private final HandlerErrors errors;

    TargetTap(EventStreams streams, List<TargetEvents> others, HandlerErrors errors) {
        channels = streams.of(EventKind.CHANNEL);
        logins = streams.of(EventKind.LOGIN);
        taskManagement = streams.of(EventKind.TASK_MANAGEMENT);
        this.others = List.copyOf(others);
        this.errors = errors;
    }

    @Override
    public void onLogin(ChannelInfo channel) {
        JfrEvents.login(channel);
        if (logins.isObserved()) {
            logins.emit(new LoginAccepted(channel));
        }
        others(each -> each.onLogin(channel));
    }

    @Override
    public void onLoginRejected(
            String port, PortId initiator, InetAddress address, LoginRejectReason reason, String detail) {
        JfrEvents.loginRejected(port, initiator, address, reason);
        if (logins.isObserved()) {
            logins.emit(new LoginRejected(port, initiator, address, reason));
        }
        others(each -> each.onLoginRejected(port, initiator, address, reason, detail));
    }

    @Override
    public void onChannelState(ChannelInfo channel, ChannelState before) {
        JfrEvents.channelState(channel, before);
        if (channels.isObserved()) {
            channels.emit(new ChannelStateChanged(channel, before));
        }
        others(each -> each.onChannelState(channel, before));
    }

    @Override
    public void onChannelReleased(ChannelInfo channel, ChannelEnd cause) {
        JfrEvents.logout(channel, cause);
        if (channels.isObserved()) {
            channels.emit(new ChannelReleased(channel, cause));
        }
        others(each -> each.onChannelReleased(channel, cause));
    }

    @Override
    public void onConnectionEvent(ChannelInfo channel, ConnectionEvent event) {
        if (channels.isObserved()) {
            channels.emit(new ConnectionIncident(channel, event));
        }
        others(each -> each.onConnectionEvent(channel, event));
    }

    @Override
    public void onQueuePairEvent(ChannelInfo channel, QueuePairEventListener.Event event) {
        if (channels.isObserved()) {
            channels.emit(new QueuePairIncident(channel, event));
        }
        others(each -> each.onQueuePairEvent(channel, event));
    }

    @Override
    public void onTaskManagement(ChannelInfo channel, int function, long lun, long taskTag, int response) {
        if (taskManagement.isObserved()) {
            taskManagement.emit(new TaskManagementDone(channel, function, lun, taskTag, response));
        }
        others(each -> each.onTaskManagement(channel, function, lun, taskTag, response));
    }

    @Override
    public void onError(String port, String message) {
        others(each -> each.onError(port, message));
    }

    private void others(Consumer<TargetEvents> call) {
        for (TargetEvents each : others) {
            try {
                call.accept(each);
            } catch (RuntimeException | AssertionError e) {
                errors.onError(HandlerErrors.Handler.TARGET_EVENTS, e);
            }
        }
    }
}
