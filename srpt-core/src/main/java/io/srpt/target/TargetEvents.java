package io.srpt.target;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import io.srpt.verbs.QueuePairEventListener;
import java.net.InetAddress;

/**
 * Who is told what happens to a target; of single commands a {@link CommandListener} is told. All calls come on the loop of the port; they must not
 * block or throw. All methods do nothing unless overridden.
 */
public interface TargetEvents {
    /** Nobody listens. */
    TargetEvents NONE = new TargetEvents() {};

    /** A login was accepted; the channel is CONNECTING. */
    default void onLogin(ChannelInfo channel) {}

    /** A login was refused. */
    default void onLoginRejected(String port, PortId initiator, InetAddress address, LoginRejectReason reason) {}

    /** A login was refused; {@code detail} says more for the log. Calls the one without, unless overridden. */
    default void onLoginRejected(
            String port, PortId initiator, InetAddress address, LoginRejectReason reason, String detail) {
        onLoginRejected(port, initiator, address, reason);
    }

    /** A channel went to another state, which {@code channel} has. */
    default void onChannelState(ChannelInfo channel, ChannelState before) {}

    /** A channel ended; all that it held is free again. */
    default void onChannelReleased(ChannelInfo channel, ChannelEnd cause) {}

    /** The connection manager told a channel something; {@code channel} is as it was before that had its effect. */
    default void onConnectionEvent(ChannelInfo channel, ConnectionEvent event) {}

    /** Something happened to a channel's queue pair; {@code channel} is as it was before that had its effect. */
    default void onQueuePairEvent(ChannelInfo channel, QueuePairEventListener.Event event) {}

    /**
     * A task management function is answered.
     *
     * @param function the function's code, see {@link io.srpt.srp.TaskManagementRequest}
     * @param lun the eight raw bytes of the LUN
     * @param taskTag tag of the task that it names
     * @param response the response code, see {@link io.srpt.srp.SrpResponse}
     */
    default void onTaskManagement(ChannelInfo channel, int function, long lun, long taskTag, int response) {}

    /** Something went wrong that an operator may want to know. */
    default void onError(String port, String message) {}
}
