package io.srpt.reactor.event;

/** Anything that an observer can be told. Immutable; any thread. */
public sealed interface SrptEvent
        permits ChannelEvent,
                CommandEvent,
                LoginEvent,
                MadEvent,
                PortEvent,
                StallEvent,
                TaskManagementEvent,
                TransportEvent {
    /** Port of no port in particular. */
    String NO_PORT = "";

    /** Name of the port where it happened, such as {@code roce-eth0/1}; {@link #NO_PORT} if it concerns all of them. */
    String port();
}
