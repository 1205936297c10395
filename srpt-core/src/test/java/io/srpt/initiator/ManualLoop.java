package io.srpt.initiator;

import io.srpt.time.Deadline;
import io.srpt.time.DeadlineQueue;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.RdmaLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A loop that the thread that made it turns by hand, in virtual time. */
final class ManualLoop implements RdmaLoop {
    private final DeadlineQueue deadlines = new DeadlineQueue();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread owner = Thread.currentThread();
    private final List<CompletionQueue> queues = new ArrayList<>();
    private final List<TurnEndListener> listeners = new ArrayList<>();
    private long now = 1_000;

    /** Turns until nothing is left to do at the current time. */
    void settle() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (CompletionQueue queue : List.copyOf(queues)) {
                busy |= queue.poll(16) > 0;
            }
            busy |= deadlines.fireDue(now) > 0;
            Runnable task = tasks.poll();
            if (task != null) {
                task.run();
                busy = true;
            }
            listeners.forEach(TurnEndListener::onTurnEnd);
        }
    }

    /** Moves time on and settles. */
    void advance(long nanos) {
        now += nanos;
        settle();
    }

    int attachedQueues() {
        return queues.size();
    }

    @Override
    public String name() {
        return "manual";
    }

    @Override
    public boolean inEventLoop() {
        return Thread.currentThread() == owner;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void schedule(Deadline deadline, long atNanos) {
        deadlines.schedule(deadline, atNanos);
    }

    @Override
    public void cancel(Deadline deadline) {
        deadlines.cancel(deadline);
    }

    @Override
    public void attach(CompletionQueue queue) {
        queues.add(queue);
    }

    @Override
    public void detach(CompletionQueue queue) {
        queues.remove(queue);
    }

    @Override
    public void ready(CompletionQueue queue) {
        // It looks into all of them.
    }

    @Override
    public void addTurnEndListener(TurnEndListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeTurnEndListener(TurnEndListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }
}
