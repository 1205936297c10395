package io.srpt.reactor;

import io.srpt.reactor.event.ConnectionIncident;
import io.srpt.reactor.event.PortIncident;
import io.srpt.reactor.event.QueuePairIncident;
import io.srpt.verbs.DeviceEventListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;

/**
 * The handlers of asynchronous events, each a subscriber of an observer stream: what the Linux driver does in
 * {@code srpt_event_handler}, {@code srpt_srq_event}, {@code srpt_qp_event} and {@code srpt_cm_handler} beside the state
 * machines, which have acted on the events by then. Those of the house log at debug level.
 *
 * @param port events of devices and ports, shared receive queues aside
 * @param sharedReceiveQueue events of shared receive queues
 * @param queuePair events of the channels' queue pairs
 * @param connection events of the channels' connections
 */
record EventHandlers(
        Consumer<PortIncident> port,
        Consumer<PortIncident> sharedReceiveQueue,
        Consumer<QueuePairIncident> queuePair,
        Consumer<ConnectionIncident> connection) {
    private static final Logger LOG = LoggerFactory.getLogger(EventHandlers.class);

    static final EventHandlers LOGGING = new EventHandlers(
            event -> LOG.debug("{} {}: {}", event.device(), event.port(), event.event()),
            event -> LOG.debug("{}: {}", event.device(), event.event()),
            event -> LOG.debug("{}: queue pair event {}", event.channel(), event.event()),
            event -> LOG.debug("{}: connection event {}", event.channel(), event.event()));

    EventHandlers withPort(Consumer<PortIncident> handler) {
        return new EventHandlers(handler, sharedReceiveQueue, queuePair, connection);
    }

    EventHandlers withSharedReceiveQueue(Consumer<PortIncident> handler) {
        return new EventHandlers(port, handler, queuePair, connection);
    }

    EventHandlers withQueuePair(Consumer<QueuePairIncident> handler) {
        return new EventHandlers(port, sharedReceiveQueue, handler, connection);
    }

    EventHandlers withConnection(Consumer<ConnectionIncident> handler) {
        return new EventHandlers(port, sharedReceiveQueue, queuePair, handler);
    }

    /** Subscribes them. One that throws is counted, and gets the next event as ever. */
    Disposable subscribe(SrptStreams streams, HandlerErrors errors) {
        Flux<PortIncident> incidents = streams.portEvents().ofType(PortIncident.class);
        return Disposables.composite(
                subscribe(incidents.filter(each -> !isShared(each)), HandlerErrors.Handler.PORT_EVENT, port, errors),
                subscribe(
                        incidents.filter(EventHandlers::isShared),
                        HandlerErrors.Handler.SHARED_RECEIVE_QUEUE,
                        sharedReceiveQueue,
                        errors),
                subscribe(
                        streams.channelEvents().ofType(QueuePairIncident.class),
                        HandlerErrors.Handler.QUEUE_PAIR,
                        queuePair,
                        errors),
                subscribe(
                        streams.channelEvents().ofType(ConnectionIncident.class),
                        HandlerErrors.Handler.CONNECTION,
                        connection,
                        errors));
    }

    private static boolean isShared(PortIncident incident) {
        return incident.event() == DeviceEventListener.Event.SHARED_RECEIVE_QUEUE_LIMIT
                || incident.event() == DeviceEventListener.Event.SHARED_RECEIVE_QUEUE_ERROR;
    }

    private static <T> Disposable subscribe(
            Flux<T> events, HandlerErrors.Handler kind, Consumer<T> handler, HandlerErrors errors) {
        return events.subscribe(event -> {
            try {
                handler.accept(event);
            } catch (RuntimeException | AssertionError e) {
                errors.onError(kind, e);
            }
        });
    }
}
