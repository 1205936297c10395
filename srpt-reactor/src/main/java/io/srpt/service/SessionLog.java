package io.srpt.service;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import io.srpt.target.ChannelEnd;
import io.srpt.target.ChannelInfo;
import io.srpt.target.TargetEvents;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One log line for each login, logout and error of a target. */
final class SessionLog implements TargetEvents {
    private static final Logger LOG = LoggerFactory.getLogger("io.srpt.sessions");

    @Override
    public void onLogin(ChannelInfo channel) {
        LOG.info(
                "Login of {} from {} on {}, let in by {} (channel {}, queue pair 0x{})",
                channel.initiatorPort(),
                Addresses.plain(channel.address()),
                channel.port(),
                channel.rule(),
                channel.id(),
                Integer.toHexString(channel.queuePair()));
    }

    @Override
    public void onLoginRejected(
            String port, PortId initiator, InetAddress address, LoginRejectReason reason, String detail) {
        LOG.warn(
                "Login of {} from {} on {} rejected: {}, {}",
                initiator,
                Addresses.plain(address),
                port,
                reason,
                detail);
    }

    @Override
    public void onChannelReleased(ChannelInfo channel, ChannelEnd cause) {
        LOG.info(
                "Logout of {} from {} on {} (channel {}): {}",
                channel.initiatorPort(),
                Addresses.plain(channel.address()),
                channel.port(),
                channel.id(),
                cause);
    }

    @Override
    public void onError(String port, String message) {
        LOG.warn("{}: {}", port, message);
    }
}
