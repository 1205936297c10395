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
import java.util.function.Predicate;
import reactor.core.publisher.Flux;

/** The streams of a target or of a port: two owning ones, and the observers' with a filter. */
record StreamSet(
        EventStreams events,
        Predicate<SrptEvent> filter,
        Flux<MadSendCompletion> madSendCompletions,
        Flux<MadReceived> madReceives)
        implements SrptStreams {
    @Override
    public Flux<ChannelEvent> channelEvents() {
        return events.flux(filter, EventKind.CHANNEL);
    }

    @Override
    public Flux<LoginEvent> loginEvents() {
        return events.flux(filter, EventKind.LOGIN);
    }

    @Override
    public Flux<CommandEvent> commandCompletions() {
        return events.flux(filter, EventKind.COMMAND);
    }

    @Override
    public Flux<TaskManagementEvent> taskManagementEvents() {
        return events.flux(filter, EventKind.TASK_MANAGEMENT);
    }

    @Override
    public Flux<PortEvent> portEvents() {
        return events.flux(filter, EventKind.PORT);
    }

    @Override
    public Flux<TransportEvent> transportEvents() {
        return events.flux(filter, EventKind.TRANSPORT);
    }

    @Override
    public Flux<StallEvent> stallEvents() {
        return events.flux(filter, EventKind.STALL);
    }

    @Override
    public Flux<MadEvent> madEvents() {
        return events.flux(filter, EventKind.MAD);
    }

    @Override
    public Flux<SrptEvent> allEvents() {
        return events.flux(filter, EventKind.values());
    }
}
