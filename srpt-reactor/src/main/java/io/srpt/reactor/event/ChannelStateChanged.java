package io.srpt.reactor.event;

import io.srpt.target.ChannelInfo;
import io.srpt.target.ChannelState;

/**
 * A channel went to another state.
 *
 * @param channel the channel, with its new state
 * @param before the state that it left
 */
public record ChannelStateChanged(ChannelInfo channel, ChannelState before) implements ChannelEvent {
    @Override
    public String port() {
        return channel.port();
    }
}
