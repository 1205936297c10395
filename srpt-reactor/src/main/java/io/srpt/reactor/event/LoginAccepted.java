package io.srpt.reactor.event;

import io.srpt.target.ChannelInfo;

/**
 * An initiator logged in.
 *
 * @param channel the channel that its login made
 */
public record LoginAccepted(ChannelInfo channel) implements LoginEvent {
    @Override
    public String port() {
        return channel.port();
    }
}
