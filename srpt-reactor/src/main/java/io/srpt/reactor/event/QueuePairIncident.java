package io.srpt.reactor.event;

import io.srpt.target.ChannelInfo;
import io.srpt.verbs.QueuePairEventListener;

/**
 * An asynchronous event of a channel's queue pair ({@code srpt_qp_event} of the Linux driver).
 *
 * @param channel whose queue pair
 * @param event what happened
 */
public record QueuePairIncident(ChannelInfo channel, QueuePairEventListener.Event event) implements ChannelEvent {
    @Override
    public String port() {
        return channel.port();
    }
}
