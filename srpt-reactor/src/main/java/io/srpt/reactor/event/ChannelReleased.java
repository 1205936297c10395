package io.srpt.reactor.event;

import io.srpt.target.ChannelEnd;
import io.srpt.target.ChannelInfo;

/**
 * A channel ended (a logout); all that it held is free.
 *
 * @param channel the channel as it was last
 * @param cause why it ended
 */
public record ChannelReleased(ChannelInfo channel, ChannelEnd cause) implements ChannelEvent {
    @Override
    public String port() {
        return channel.port();
    }
}
