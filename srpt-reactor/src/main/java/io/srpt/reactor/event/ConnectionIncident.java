package io.srpt.reactor.event;

import io.srpt.target.ChannelInfo;
import io.srpt.target.ConnectionEvent;

/**
 * The connection manager told a channel something ({@code srpt_cm_handler} of the Linux driver).
 *
 * @param channel whose connection; its state is the one before the event had its effect
 * @param event what happened
 */
public record ConnectionIncident(ChannelInfo channel, ConnectionEvent event) implements ChannelEvent {
    @Override
    public String port() {
        return channel.port();
    }
}
