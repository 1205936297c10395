package io.srpt.target;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import java.net.InetAddress;

/**
 * Who is told what happens to a target, apart from single commands. All calls come on the loop of the port; they must not
 * block or throw. All methods do nothing unless overridden.
 */
public interface TargetEvents {
    /** Nobody listens. */
    TargetEvents NONE = new TargetEvents() {};

    /** A login was accepted; the channel is CONNECTING. */
    default void onLogin(ChannelInfo channel) {}

    /** A login was refused. */
    default void onLoginRejected(String port, PortId initiator, InetAddress address, LoginRejectReason reason) {}

    /** A channel went to another state, which {@code channel} has. */
    default void onChannelState(ChannelInfo channel, ChannelState before) {}

    /** A channel ended; all that it held is free again. */
    default void onChannelReleased(ChannelInfo channel, ChannelEnd cause) {}

    /** Something went wrong that an operator may want to know. */
    default void onError(String port, String message) {}
}
