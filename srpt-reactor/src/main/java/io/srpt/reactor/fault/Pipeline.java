package io.srpt.reactor.fault;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * A user's operators, evaluated for one item at a time: what they emit before {@link #evaluate} returns, and about that item,
 * is the decision.
 *
 * <pre>
 *   event                      IDLE        CONNECTED                    ENDED
 *   an item                    CONNECTED   -                            no decision
 *   operators complete         -           ENDED                        -
 *   operators fail             -           IDLE; ENDED if it was before the first item
 * </pre>
 *
 * <p>Threads: one, that of the first call.
 */
final class Pipeline<T, D> {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private enum State {
        IDLE,
        CONNECTED,
        ENDED
    }

    private final Function<? super Flux<T>, ? extends Publisher<D>> operators;
    private final Function<D, T> subject;
    private final InjectionCounts counts;
    private State state = State.IDLE;
    private Sinks.Many<T> source = Sinks.unsafe().many().multicast().directBestEffort();
    private volatile @Nullable Thread owner;
    private @Nullable Decisions subscriber;
    private @Nullable T current;
    private @Nullable D decision;
    private boolean fed;
    private boolean logged;

    Pipeline(
            Function<? super Flux<T>, ? extends Publisher<D>> operators,
            Function<D, T> subject,
            InjectionCounts counts) {
        this.operators = operators;
        this.subject = subject;
        this.counts = counts;
    }

    /** What the operators decide about {@code item}, null for nothing. */
    @Nullable
    D evaluate(T item) {
        if (state == State.IDLE) {
            connect();
        }
        if (state == State.ENDED) {
            return null;
        }
        current = item;
        decision = null;
        fed = true;
        try {
            source.tryEmitNext(item);
        } catch (RuntimeException e) {
            failed(e);
        } finally {
            current = null;
        }
        return decision;
    }

    private void connect() {
        owner = Thread.currentThread();
        source = Sinks.unsafe().many().multicast().directBestEffort();
        state = State.CONNECTED;
        fed = false;
        try {
            Decisions decisions = new Decisions();
            subscriber = decisions;
            operators.apply(source.asFlux()).subscribe(decisions);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** The command at fault gets no decision; the next one finds new operators. */
    private void failed(Throwable thrown) {
        counts.error();
        decision = null;
        state = fed ? State.IDLE : State.ENDED;
        if (!logged) {
            logged = true;
            LOG.error(
                    "A fault injection pipeline failed, {}; further failures are only counted",
                    fed ? "and begins anew" : "and was not even connected: it decides nothing any more",
                    thrown);
        }
    }

    private final class Decisions extends BaseSubscriber<D> {
        @Override
        protected void hookOnNext(D decided) {
            if (Thread.currentThread() != owner || subject.apply(decided) != current) {
                counts.late();
            } else if (decision == null) {
                decision = decided;
            }
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            if (isCurrent()) {
                failed(thrown);
            } else {
                counts.error();
            }
        }

        @Override
        protected void hookOnComplete() {
            if (isCurrent()) {
                state = State.ENDED;
            }
        }

        /** Not of operators that failed before, nor on another thread. */
        private boolean isCurrent() {
            return Thread.currentThread() == owner && subscriber == this;
        }
    }
}
