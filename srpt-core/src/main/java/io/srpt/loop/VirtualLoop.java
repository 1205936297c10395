package io.srpt.loop;

import io.srpt.time.Deadline;
import io.srpt.time.DeadlineQueue;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.RdmaLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An {@link RdmaLoop} in virtual time, for simulations: it runs on the thread that drives its {@link VirtualClock}.
 *
 * <p>A turn is what a real loop's is: deadlines that are due, tasks that were there when the turn began, completion queues
 * until empty, end-of-turn listeners.
 *
 * <p>Threads: {@link #execute}, {@link #inEventLoop}, {@link #nanoTime} and {@link #name} from anywhere. While no turn
 * runs, the driving thread is on the loop of everything; during a turn it is on the running loop only, so that an object
 * that reaches into another loop's is caught by its {@code assert inEventLoop()}.
 */
public final class VirtualLoop implements RdmaLoop {
    private static final int POLL_BATCH = 64;

    private final String name;
    private final VirtualClock clock;
    private final DeadlineQueue deadlines = new DeadlineQueue();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<CompletionQueue> completionQueues = new ArrayList<>();
    private final ReadyQueues ready = new ReadyQueues();
    private final List<TurnEndListener> turnEndListeners = new ArrayList<>();
    private volatile boolean inTurn;

    /** A loop with a clock of its own. */
    public static VirtualLoop create(String name) {
        return new VirtualClock().newLoop(name);
    }

    VirtualLoop(String name, VirtualClock clock) {
        this.name = name;
        this.clock = clock;
    }

    /** The time in which it lives, maybe with other loops. */
    public VirtualClock clock() {
        return clock;
    }

    /** {@link VirtualClock#advance} of its clock. */
    public void advance(long nanos) {
        clock.advance(nanos);
    }

    /** {@link VirtualClock#runUntilIdle} of its clock. */
    public long runUntilIdle() {
        return clock.runUntilIdle();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean inEventLoop() {
        return inTurn ? clock.isDriver() : clock.isDriverOutsideTurn();
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void schedule(Deadline deadline, long atNanos) {
        assert inEventLoop();
        deadlines.schedule(deadline, atNanos);
    }

    @Override
    public void cancel(Deadline deadline) {
        assert inEventLoop();
        deadlines.cancel(deadline);
    }

    @Override
    public void attach(CompletionQueue queue) {
        assert inEventLoop();
        if (!queue.announcesEntries()) {
            completionQueues.add(queue);
        }
    }

    @Override
    public void detach(CompletionQueue queue) {
        assert inEventLoop();
        completionQueues.remove(queue);
        ready.remove(queue);
    }

    @Override
    public void ready(CompletionQueue queue) {
        assert inEventLoop();
        ready.add(queue);
    }

    @Override
    public void addTurnEndListener(TurnEndListener listener) {
        assert inEventLoop();
        turnEndListeners.add(listener);
    }

    @Override
    public void removeTurnEndListener(TurnEndListener listener) {
        assert inEventLoop();
        turnEndListeners.remove(listener);
    }

    int armedDeadlines() {
        return deadlines.size();
    }

    long earliestNanos() {
        return deadlines.earliestNanos(nanoTime());
    }

    /** One turn; returns how many deadlines, tasks and completions there were. */
    int runTurn() {
        inTurn = true;
        try {
            int work = deadlines.fireDue(nanoTime()) + runTasks() + pollCompletionQueues();
            for (int i = 0; i < turnEndListeners.size(); i++) {
                turnEndListeners.get(i).onTurnEnd();
            }
            return work;
        } finally {
            inTurn = false;
        }
    }

    private int runTasks() {
        int waiting = tasks.size();
        int done = 0;
        while (done < waiting) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            task.run();
            done++;
        }
        return done;
    }

    private int pollCompletionQueues() {
        int done = 0;
        for (int i = 0; i < completionQueues.size(); i++) {
            CompletionQueue queue = completionQueues.get(i);
            for (int polled = queue.poll(POLL_BATCH); polled > 0; polled = queue.poll(POLL_BATCH)) {
                done += polled;
            }
        }
        while (!ready.isEmpty()) {
            CompletionQueue queue = ready.take();
            done += queue == null ? 0 : queue.poll(POLL_BATCH);
        }
        return done;
    }
}
