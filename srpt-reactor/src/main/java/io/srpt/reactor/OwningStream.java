package io.srpt.reactor;

import io.srpt.counter.Counter;
import io.srpt.verbs.RdmaLoop;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * A unicast stream of elements that hold a buffer each, over a queue as long as the pool of these buffers: it cannot
 * overflow. It knows every element that was not released, and releases it when its owner cancels, throws or is none.
 *
 * <pre>
 *   offer ─▶ table of what is held, by slot ─▶ queue ─▶ the subscriber, as far as it requests
 *                                                └────▶ else the resident, an unbounded subscriber of the house
 *                                                └────▶ else nobody: released here
 * </pre>
 *
 * <table>
 *   <caption>Who owns what is offered</caption>
 *   <tr><th>event</th><th>no subscriber</th><th>subscribed</th><th>closed</th></tr>
 *   <tr><td>subscribe</td><td>subscribed</td><td>the new one fails</td><td>the new one completes</td></tr>
 *   <tr><td>cancel, bad request, onNext throws</td><td>-</td><td>what it holds is released; the queue goes to the
 *       resident, or is released</td><td>-</td></tr>
 *   <tr><td>close</td><td>closed</td><td>what is held is released, the subscriber completes; closed</td><td>-</td></tr>
 * </table>
 *
 * <p>Threads: the loop; subscribe, request and cancel from anywhere. Subscribers are called on the loop.
 *
 * @param <T> the elements
 */
final class OwningStream<T> extends Flux<T> {
    private static final Logger LOG = LoggerFactory.getLogger(OwningStream.class);

    /** What an element holds. On the loop. */
    interface Ownership<T> {
        /** The slot of the pool, below its capacity; no two elements that are held have the same. */
        int slot(T element);

        /** Whether it is not released yet. */
        boolean isHeld(T element);

        /** Releases it. */
        void release(T element);
    }

    private final String name;
    private final RdmaLoop loop;
    private final Ownership<T> ownership;
    private final HandlerErrors errors;
    private final HandlerErrors.Handler handler;
    private final @Nullable Object[] held;
    private final @Nullable Object[] queue;
    private final AtomicReference<@Nullable Owner> claim = new AtomicReference<>();
    private final Counter delivered = new Counter();
    private final Counter fallbackReleases = new Counter();
    private @Nullable CoreSubscriber<? super T> resident;
    private @Nullable Owner owner;
    private int head;
    private int count;
    private boolean delivering;
    private @Nullable Owner leaving;
    private volatile boolean closed;

    OwningStream(
            String name,
            RdmaLoop loop,
            int capacity,
            Ownership<T> ownership,
            HandlerErrors errors,
            HandlerErrors.Handler handler) {
        this.name = name;
        this.loop = loop;
        this.ownership = ownership;
        this.errors = errors;
        this.handler = handler;
        held = new Object[capacity];
        queue = new Object[capacity];
    }

    /** Elements handed to a subscriber or the resident. Any thread. */
    Counter delivered() {
        return delivered;
    }

    /** Elements released here because their owner did not. Any thread. */
    Counter fallbackReleases() {
        return fallbackReleases;
    }

    /** Sets who owns the elements while nobody has subscribed; it must request without bound. */
    void resident(@Nullable CoreSubscriber<? super T> subscriber) {
        assert loop.inEventLoop();
        resident = subscriber;
        Owner current = owner;
        if (current == null || current.isResident) {
            owner = null;
            attachResident();
            deliver();
        }
    }

    /** Takes an element over. */
    void offer(T element) {
        assert loop.inEventLoop();
        if (owner == null || closed) {
            releaseAsFallback(element);
            return;
        }
        held[ownership.slot(element)] = element;
        if (count == queue.length) {
            throw new IllegalStateException(name + " has more elements than buffers");
        }
        queue[(head + count++) % queue.length] = element;
        deliver();
    }

    /** Releases those in the queue that nobody can use any more. */
    void discardQueued(Predicate<T> useless) {
        assert loop.inEventLoop();
        for (int left = count; left > 0; left--) {
            T element = take();
            if (useless.test(element)) {
                held[ownership.slot(element)] = null;
                releaseAsFallback(element);
            } else {
                queue[(head + count++) % queue.length] = element;
            }
        }
    }

    /** Completes the subscriber; releases what is held, by it too. */
    void close() {
        assert loop.inEventLoop();
        if (closed) {
            return;
        }
        closed = true;
        clearQueue();
        reclaim();
        Owner last = owner;
        owner = null;
        if (last != null && !last.cancelled) {
            last.cancelled = true;
            last.complete();
        }
        claim.set(null);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Owner next = new Owner(Objects.requireNonNull(actual, "subscriber"), false);
        if (!claim.compareAndSet(null, next)) {
            Operators.error(actual, new IllegalStateException(name + " has an owner: one subscriber at a time"));
        } else {
            onLoop(() -> attach(next));
        }
    }

    private void onLoop(Runnable action) {
        if (loop.inEventLoop()) {
            action.run();
        } else {
            loop.execute(action);
        }
    }

    private void attach(Owner next) {
        if (closed) {
            claim.compareAndSet(next, null);
            Operators.complete(next.actual);
            return;
        }
        owner = next;
        next.begin();
        deliver();
    }

    private void attachResident() {
        CoreSubscriber<? super T> subscriber = resident;
        if (subscriber != null && !closed) {
            Owner next = new Owner(subscriber, true);
            owner = next;
            next.begin();
        }
    }

    /** The owner gave up: releases what it holds, and gives the rest to the resident. Not from within its onNext. */
    private void detach(Owner gone) {
        if (delivering) {
            leaving = gone;
            return;
        }
        leaving = null;
        if (owner == gone) {
            owner = null;
            reclaim();
            claim.compareAndSet(gone, null);
            attachResident();
            if (owner == null) {
                clearQueue();
                reclaim();
            }
            deliver();
        }
    }

    private void deliver() {
        if (delivering) {
            return;
        }
        Owner current = owner;
        delivering = true;
        while (count > 0 && current != null && current == owner && current.mayReceive()) {
            delivered.increment();
            current.next(take());
        }
        delivering = false;
        Owner gone = leaving;
        if (gone != null) {
            detach(gone);
        } else if (current != owner) {
            deliver();
        }
    }

    @SuppressWarnings("unchecked") // only offer() puts elements there
    private T take() {
        T element = (T) Objects.requireNonNull(queue[head]);
        queue[head] = null;
        head = (head + 1) % queue.length;
        count--;
        return element;
    }

    /** Takes all elements out of the queue; they are held still. */
    private void clearQueue() {
        while (count > 0) {
            take();
        }
    }

    /** Releases what is held and not queued. */
    @SuppressWarnings("unchecked") // only offer() puts elements there
    private void reclaim() {
        for (int i = 0; i < count; i++) {
            held[ownership.slot((T) Objects.requireNonNull(queue[(head + i) % queue.length]))] = null;
        }
        for (int slot = 0; slot < held.length; slot++) {
            Object element = held[slot];
            held[slot] = null;
            if (element != null && ownership.isHeld((T) element)) {
                releaseAsFallback((T) element);
            }
        }
        for (int i = 0; i < count; i++) {
            Object queued = Objects.requireNonNull(queue[(head + i) % queue.length]);
            held[ownership.slot((T) queued)] = queued;
        }
    }

    private void releaseAsFallback(T element) {
        fallbackReleases.increment();
        ownership.release(element);
    }

    @Override
    public String toString() {
        return name;
    }

    /** Whoever owns the elements now, and how many it asked for. */
    private final class Owner implements Subscription {
        private final CoreSubscriber<? super T> actual;
        private final boolean isResident;
        private final AtomicLong requested = new AtomicLong();
        private volatile boolean cancelled;

        Owner(CoreSubscriber<? super T> actual, boolean isResident) {
            this.actual = actual;
            this.isResident = isResident;
        }

        void begin() {
            try {
                actual.onSubscribe(this);
            } catch (Throwable e) {
                onThrown(e);
            }
        }

        boolean mayReceive() {
            return !cancelled && requested.get() > 0;
        }

        void next(T element) {
            if (requested.get() != Long.MAX_VALUE) {
                requested.decrementAndGet();
            }
            try {
                actual.onNext(element);
            } catch (Throwable e) {
                onThrown(e);
            }
        }

        void complete() {
            try {
                actual.onComplete();
            } catch (Throwable e) {
                onThrown(e);
            }
        }

        private void onThrown(Throwable thrown) {
            Exceptions.throwIfJvmFatal(thrown);
            errors.onError(handler, thrown);
            LOG.debug("A subscriber of {} threw and is cancelled", name);
            cancel();
        }

        @Override
        public void request(long n) {
            if (n <= 0) {
                onLoop(() -> refuse(n));
                return;
            }
            requested.accumulateAndGet(n, Operators::addCap);
            if (!cancelled) {
                onLoop(OwningStream.this::deliver);
            }
        }

        private void refuse(long n) {
            if (!cancelled) {
                cancel();
                actual.onError(new IllegalArgumentException("§3.9: request of " + n + " elements"));
            }
        }

        @Override
        public void cancel() {
            if (!cancelled) {
                cancelled = true;
                onLoop(() -> detach(this));
            }
        }
    }
}
