package io.srpt.reactor.event;

/**
 * Events that this observer did not get because its buffer was full. It stands in the stream where they would have stood.
 *
 * @param count how many, at least 1
 */
public record EventsMissed(long count)
        implements ChannelEvent,
                CommandEvent,
                LoginEvent,
                MadEvent,
                PortEvent,
                StallEvent,
                TaskManagementEvent,
                TransportEvent {
    @Override
    public String port() {
        return NO_PORT;
    }
}
