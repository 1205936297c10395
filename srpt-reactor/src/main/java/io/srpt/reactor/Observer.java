package io.srpt.reactor;

import io.srpt.reactor.event.EventsMissed;
import io.srpt.reactor.event.SrptEvent;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;

/**
 * One observer of one or more {@link EventStream}s: its own bounded buffer, what it asked for, and what it missed. It is
 * called on the executor, one event at a time; a full buffer loses the newest event.
 *
 * <p>Threads: any.
 */
final class Observer<T> implements Subscription, Runnable {
    private final CoreSubscriber<? super T> actual;
    private final List<EventStream> streams;
    private final Predicate<SrptEvent> filter;
    private final Executor executor;
    private final HandlerErrors errors;
    private final EventRing ring;
    private final AtomicLong requested = new AtomicLong();
    private final AtomicLong missedSinceOffer = new AtomicLong();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private volatile boolean begun;
    private volatile boolean cancelled;
    private volatile boolean completed;
    private volatile boolean badRequest;
    private @Nullable SrptEvent waiting;

    /** An event before which others were missed. */
    private record AfterGap(long missed, SrptEvent event) {}

    Observer(
            CoreSubscriber<? super T> actual,
            List<EventStream> streams,
            Predicate<SrptEvent> filter,
            int buffer,
            Executor executor,
            HandlerErrors errors) {
        this.actual = actual;
        this.streams = streams;
        this.filter = filter;
        this.executor = executor;
        this.errors = errors;
        this.ring = new EventRing(buffer);
    }

    /** Joins the streams and begins. */
    void begin() {
        actual.onSubscribe(this);
        for (EventStream stream : streams) {
            if (!cancelled && !stream.add(this)) {
                completed = true;
            }
        }
        if (cancelled) {
            leave();
        }
        begun = true;
        wakeUp();
    }

    /** Takes an event that passes the filter; false, and it is missed, if the buffer is full. */
    boolean offer(SrptEvent event) {
        if (cancelled || !filter.test(event)) {
            return true;
        }
        long missed = missedSinceOffer.get() == 0 ? 0 : missedSinceOffer.getAndSet(0);
        if (!ring.offer(missed == 0 ? event : new AfterGap(missed, event))) {
            missedSinceOffer.addAndGet(missed + 1);
            return false;
        }
        wakeUp();
        return true;
    }

    /** No more events: ends it after those that it has. */
    void complete() {
        completed = true;
        wakeUp();
    }

    @Override
    public void request(long n) {
        if (n <= 0) {
            badRequest = true;
        } else {
            requested.accumulateAndGet(n, Operators::addCap);
        }
        wakeUp();
    }

    @Override
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            leave();
        }
    }

    private void leave() {
        for (EventStream stream : streams) {
            stream.remove(this);
        }
    }

    /** Sees to it that {@link #run} runs, once at a time, and not during onSubscribe or while nothing is asked for. */
    private void wakeUp() {
        boolean due = begun && (requested.get() > 0 || completed || badRequest);
        if (due && wakeUps.getAndIncrement() == 0) {
            executor.execute(this);
        }
    }

    @Override
    public void run() {
        int seen = wakeUps.get();
        do {
            try {
                deliver();
            } catch (Throwable e) {
                Exceptions.throwIfJvmFatal(e);
                errors.onError(HandlerErrors.Handler.OBSERVER, e);
                cancel();
            }
            seen = wakeUps.addAndGet(-seen);
        } while (seen != 0);
    }

    private void deliver() {
        while (!cancelled) {
            if (badRequest) {
                cancel();
                actual.onError(new IllegalArgumentException("§3.9: requests must be positive"));
                return;
            }
            // Looked at before the buffer: what was offered before the end is in it.
            boolean last = completed;
            if (waiting == null && ring.isEmpty()) {
                if (last) {
                    finish();
                }
                return;
            }
            if (requested.get() == 0) {
                return;
            }
            next();
        }
    }

    @SuppressWarnings("unchecked") // the streams carry events of T, and EventsMissed is one of all
    private void next() {
        SrptEvent event = waiting;
        waiting = null;
        if (event == null) {
            Object taken = ring.poll();
            if (taken instanceof AfterGap gap) {
                waiting = gap.event;
                event = new EventsMissed(gap.missed);
            } else {
                event = (SrptEvent) taken;
            }
        }
        if (requested.get() != Long.MAX_VALUE) {
            requested.decrementAndGet();
        }
        actual.onNext((T) event);
    }

    @SuppressWarnings("unchecked") // as above
    private void finish() {
        long missed = missedSinceOffer.getAndSet(0);
        if (missed > 0 && requested.get() > 0) {
            actual.onNext((T) new EventsMissed(missed));
        }
        if (!cancelled) {
            cancelled = true;
            leave();
            actual.onComplete();
        }
    }
}
