package io.srpt.reactor.jfr;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import io.srpt.target.ChannelEnd;
import io.srpt.target.ChannelInfo;
import io.srpt.target.ChannelState;
import io.srpt.target.CommandOutcome;
import java.net.InetAddress;

/** Writes to the flight recorder. Nothing is filled in while no recording wants it. Any thread. */
public final class JfrEvents {
    private JfrEvents() {}

    /** {@code io.srpt.Login}, accepted. */
    public static void login(ChannelInfo channel) {
        LoginJfr event = new LoginJfr();
        if (event.isEnabled()) {
            event.port = channel.port();
            event.initiatorPort = channel.initiatorPort().toString();
            event.address = channel.address().getHostAddress();
            event.result = "ACCEPTED";
            event.channel = channel.id();
            event.commit();
        }
    }

    /** {@code io.srpt.Login}, rejected. */
    public static void loginRejected(String port, PortId initiator, InetAddress address, LoginRejectReason reason) {
        LoginJfr event = new LoginJfr();
        if (event.isEnabled()) {
            event.port = port;
            event.initiatorPort = initiator.toString();
            event.address = address.getHostAddress();
            event.result = reason.name();
            event.commit();
        }
    }

    /** {@code io.srpt.Logout}. */
    public static void logout(ChannelInfo channel, ChannelEnd cause) {
        LogoutJfr event = new LogoutJfr();
        if (event.isEnabled()) {
            event.port = channel.port();
            event.initiatorPort = channel.initiatorPort().toString();
            event.cause = cause.name();
            event.channel = channel.id();
            event.commit();
        }
    }

    /** {@code io.srpt.ChannelState}. */
    public static void channelState(ChannelInfo channel, ChannelState before) {
        ChannelStateJfr event = new ChannelStateJfr();
        if (event.isEnabled()) {
            event.port = channel.port();
            event.channel = channel.id();
            event.from = before.name();
            event.to = channel.state().name();
            event.commit();
        }
    }

    /** {@code io.srpt.SlowCommand}. */
    public static void slowCommand(CommandOutcome outcome) {
        SlowCommandJfr event = new SlowCommandJfr();
        if (event.isEnabled()) {
            event.port = outcome.port();
            event.channel = outcome.channel();
            event.lun = outcome.lun();
            event.operationCode = outcome.operationCode();
            event.status = outcome.status();
            event.time = outcome.nanos();
            event.commit();
        }
    }

    /** {@code io.srpt.LoopStall}. */
    public static void loopStall(String loop, String handler, long nanos, boolean over) {
        LoopStallJfr event = new LoopStallJfr();
        if (event.isEnabled()) {
            event.loop = loop;
            event.handler = handler;
            event.time = nanos;
            event.over = over;
            event.commit();
        }
    }
}
