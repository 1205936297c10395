package io.srpt.reactor;

import io.srpt.reactor.event.SrptEvent;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One kind of events on its way to those who observe it. Whoever emits asks {@link #isObserved} first and makes the event
 * only then.
 *
 * <p>Threads: any; {@link #emit} takes no lock.
 */
final class EventStream {
    private static final Observer<?>[] NOBODY = {};

    private final AtomicLong missed = new AtomicLong();
    private volatile Observer<?>[] observers = NOBODY;
    private @Nullable Runnable whenObserved;
    private @Nullable Runnable whenAlone;
    private boolean closed;

    /** What to do when the first observer comes, and when the last one goes. */
    void hooks(Runnable first, Runnable last) {
        whenObserved = first;
        whenAlone = last;
    }

    boolean isObserved() {
        return observers.length != 0;
    }

    int observerCount() {
        return observers.length;
    }

    /** Events that observers did not get, summed over them. */
    long missed() {
        return missed.get();
    }

    void emit(SrptEvent event) {
        for (Observer<?> observer : observers) {
            if (!observer.offer(event)) {
                missed.incrementAndGet();
            }
        }
    }

    /** Adds {@code observer}; false if the stream is closed. */
    synchronized boolean add(Observer<?> observer) {
        if (closed) {
            return false;
        }
        Observer<?>[] longer = Arrays.copyOf(observers, observers.length + 1);
        longer[observers.length] = observer;
        observers = longer;
        if (longer.length == 1 && whenObserved != null) {
            whenObserved.run();
        }
        return true;
    }

    synchronized void remove(Observer<?> observer) {
        Observer<?>[] before = observers;
        observers = Arrays.stream(before).filter(each -> each != observer).toArray(Observer<?>[]::new);
        if (before.length == 1 && observers.length == 0 && whenAlone != null) {
            whenAlone.run();
        }
    }

    void close() {
        Observer<?>[] last;
        synchronized (this) {
            closed = true;
            last = observers;
            observers = NOBODY;
        }
        for (Observer<?> observer : last) {
            observer.complete();
        }
    }
}
