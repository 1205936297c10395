package io.srpt.reactor;

import io.srpt.reactor.event.SrptEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;

/** The observer streams of a target, one for each {@link EventKind}. Any thread. */
public final class EventStreams {
    private final Map<EventKind, EventStream> streams = new EnumMap<>(EventKind.class);
    private final int buffer;
    private final Executor executor;
    private final HandlerErrors errors;

    EventStreams(int buffer, Executor executor, HandlerErrors errors) {
        this.buffer = buffer;
        this.executor = executor;
        this.errors = errors;
        for (EventKind kind : EventKind.values()) {
            streams.put(kind, new EventStream());
        }
    }

    /** Events of {@code kind} that observers did not get because their buffers were full, summed over observers. */
    public long missed(EventKind kind) {
        return of(kind).missed();
    }

    /** Observers of {@code kind} now. */
    public int observers(EventKind kind) {
        return of(kind).observerCount();
    }

    EventStream of(EventKind kind) {
        EventStream stream = streams.get(kind);
        if (stream == null) {
            throw new IllegalStateException("no stream of " + kind);
        }
        return stream;
    }

    /** Events of some kinds that pass {@code filter}. */
    <T extends SrptEvent> Flux<T> flux(Predicate<SrptEvent> filter, EventKind... kinds) {
        List<EventStream> chosen = new ArrayList<>();
        for (EventKind kind : kinds) {
            chosen.add(of(kind));
        }
        return new ObserverFlux<>(chosen, filter, buffer, executor, errors);
    }

    void close() {
        streams.values().forEach(EventStream::close);
    }
}
