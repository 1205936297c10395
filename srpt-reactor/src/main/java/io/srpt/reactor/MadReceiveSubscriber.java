package io.srpt.reactor;

import io.srpt.counter.Counter;
import io.srpt.mad.MadReceiveHandler;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * The MAD receive handler ({@code srpt_mad_recv_handler}) as a subscriber: hands each datagram to a
 * {@link MadReceiveHandler}, which releases it; in its stead if it throws before that.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class MadReceiveSubscriber implements CoreSubscriber<MadReceived> {
    private final MadReceiveHandler handler;
    private final HandlerErrors errors;
    private final Counter received = new Counter();
    private final Counter fallbackReleases = new Counter();

    /** One that leaves answer and release to {@code handler}. */
    public MadReceiveSubscriber(MadReceiveHandler handler) {
        this(handler, new HandlerErrors());
    }

    MadReceiveSubscriber(MadReceiveHandler handler, HandlerErrors errors) {
        this.handler = handler;
        this.errors = errors;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(MadReceived received) {
        this.received.increment();
        try {
            handler.onReceive(received.mad().agent(), received.mad());
        } catch (RuntimeException | AssertionError e) {
            errors.onError(HandlerErrors.Handler.MAD_RECEIVE, e);
            if (received.mad().isHeld()) {
                fallbackReleases.increment();
                received.release();
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        errors.onError(HandlerErrors.Handler.MAD_RECEIVE, failure);
    }

    @Override
    public void onComplete() {
        // The port closed; nothing is held.
    }

    /** Datagrams that came. */
    public Counter received() {
        return received;
    }

    /** Datagrams that were released here because the handler threw. */
    public Counter fallbackReleases() {
        return fallbackReleases;
    }
}
