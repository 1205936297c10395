package io.srpt.reactor;

import io.srpt.mad.MadSendCompletion;
import io.srpt.reactor.event.ChannelEvent;
import io.srpt.reactor.event.CommandEvent;
import io.srpt.reactor.event.LoginEvent;
import io.srpt.reactor.event.MadEvent;
import io.srpt.reactor.event.PortEvent;
import io.srpt.reactor.event.SrptEvent;
import io.srpt.reactor.event.StallEvent;
import io.srpt.reactor.event.TaskManagementEvent;
import io.srpt.reactor.event.TransportEvent;
import reactor.core.publisher.Flux;

/**
 * What a target, or one port of it, publishes.
 *
 * <p><b>Owning streams</b>, {@link #madSendCompletions()} and {@link #madReceives()}: whoever subscribes owns what comes
 * and must release each element. Of one port: one subscriber at a time, who takes over from the built-in handler until it
 * cancels; exactly once, in the order of the completion queue, on the port's loop, which must not be blocked. An element
 * that is not requested waits in a queue as long as the port's pool of datagram buffers: it is never lost, and its buffer
 * stays in use, so that a slow subscriber shows as an empty pool and the next datagram that comes is dropped and counted.
 * When the subscriber cancels or throws, the publisher releases what the subscriber has not. The stream completes when the
 * port closes. Of a whole target: the ports' streams merged, in no order between ports, on any of their loops.
 *
 * <p><b>Observer streams</b>, all others: any number of subscribers, each with a buffer of its own, called on the observer
 * executor one at a time, never on a loop. They see immutable copies from the moment of their subscription on. What does
 * not fit into a full buffer is missed, counted ({@link EventStreams#missed}), and shown to that observer by an
 * {@code EventsMissed} in its place. Without an observer nothing is made. They complete when the runtime closes.
 *
 * <p>Threads: any.
 */
public interface SrptStreams {
    /** Owning: each management send that ended. */
    Flux<MadSendCompletion> madSendCompletions();

    /** Owning: each management datagram that came for a class that is served through this stream. */
    Flux<MadReceived> madReceives();

    /** Every state of every channel, its release, events of its queue pair and of its connection. */
    Flux<ChannelEvent> channelEvents();

    /** Logins, accepted or rejected with the reason. */
    Flux<LoginEvent> loginEvents();

    /** Commands that ended. */
    Flux<CommandEvent> commandCompletions();

    /** Task management functions that were answered. */
    Flux<TaskManagementEvent> taskManagementEvents();

    /** Device and port events. */
    Flux<PortEvent> portEvents();

    /** Retransmissions, RNR NAKs, damaged packets, failed queue pairs. */
    Flux<TransportEvent> transportEvents();

    /** Loops that hang or hung; of a port, those of its loop. */
    Flux<StallEvent> stallEvents();

    /** Copies of what goes through the two owning streams. */
    Flux<MadEvent> madEvents();

    /** All observer streams in one, commands included. */
    Flux<SrptEvent> allEvents();
}
