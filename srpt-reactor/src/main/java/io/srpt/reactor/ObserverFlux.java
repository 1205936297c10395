package io.srpt.reactor;

import io.srpt.reactor.event.SrptEvent;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** Makes an {@link Observer} of some streams for each subscriber. */
final class ObserverFlux<T> extends Flux<T> {
    private final List<EventStream> streams;
    private final Predicate<SrptEvent> filter;
    private final int buffer;
    private final Executor executor;
    private final HandlerErrors errors;

    ObserverFlux(
            List<EventStream> streams,
            Predicate<SrptEvent> filter,
            int buffer,
            Executor executor,
            HandlerErrors errors) {
        this.streams = List.copyOf(streams);
        this.filter = filter;
        this.buffer = buffer;
        this.executor = executor;
        this.errors = errors;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        new Observer<T>(Objects.requireNonNull(actual, "subscriber"), streams, filter, buffer, executor, errors).begin();
    }
}
