package io.srpt.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.srpt.counter.Counter;
import io.srpt.time.Deadline;
import io.srpt.time.DeadlineQueue;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.RdmaLoop;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop: its completion queues, deadlines and turn-end work. {@link CompletionIoHandler} turns it.
 *
 * <p>Whatever a listener, deadline or turn-end hook throws is counted and logged, and the loop goes on.
 */
public final class RdmaEventLoop implements RdmaLoop {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaEventLoop.class);
    private static final int POLL_BATCH = 64;
    /** Completions taken in one turn before sockets are looked at again. */
    private static final int MAX_COMPLETIONS_A_TURN = 4096;

    private final String name;
    private final ThreadAwareExecutor executor;
    private final DeadlineQueue deadlines = new DeadlineQueue();
    private final LoopActivity activity;
    private final AtomicLong tasks = new AtomicLong();
    private final Counter turns = new Counter();
    private final Counter completions = new Counter();
    private final Counter handlerErrors = new Counter();
    private final LoopCounters counters = new LoopCounters();
    /** Those that announce nothing, so that each turn looks into them. */
    private CompletionQueue[] queues = new CompletionQueue[0];

    private final ReadyQueues ready = new ReadyQueues();
    private CompletionNotification[] notifications = new CompletionNotification[0];
    private TurnEndListener[] turnEndListeners = new TurnEndListener[0];

    RdmaEventLoop(String name, ThreadAwareExecutor executor, long stallNanos, StallListener stallListener) {
        this.name = name;
        this.executor = executor;
        this.activity = new LoopActivity(name, stallNanos, stallListener);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean inEventLoop() {
        return executor.isExecutorThread(Thread.currentThread());
    }

    @Override
    public void execute(Runnable task) {
        tasks.incrementAndGet();
        executor.execute(task);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long turnNanoTime() {
        assert inEventLoop();
        long since = activity.busySince();
        return since == LoopActivity.WAITING ? System.nanoTime() : since;
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
            queues = append(queues, queue);
        }
        if (queue.descriptor() != CompletionQueue.NO_DESCRIPTOR) {
            notifications = append(notifications, CompletionNotification.of(this, queue));
        }
    }

    @Override
    public void detach(CompletionQueue queue) {
        assert inEventLoop();
        queues = remove(queues, queue);
        ready.remove(queue);
        for (CompletionNotification notification : notifications) {
            if (notification.queue() == queue) {
                notification.cancel();
                notifications = remove(notifications, notification);
            }
        }
    }

    @Override
    public void ready(CompletionQueue queue) {
        assert inEventLoop();
        ready.add(queue);
    }

    @Override
    public void addTurnEndListener(TurnEndListener listener) {
        assert inEventLoop();
        turnEndListeners = append(turnEndListeners, listener);
    }

    @Override
    public void removeTurnEndListener(TurnEndListener listener) {
        assert inEventLoop();
        turnEndListeners = remove(turnEndListeners, listener);
    }

    /** Puts a handle for epoll, such as a socket, on this loop. Any thread; the future completes on the loop. */
    public Future<IoRegistration> register(IoHandle handle) {
        IoHandle watched = handle instanceof EpollIoHandle socket ? new WatchedHandle(socket, activity) : handle;
        return ((IoEventLoop) executor).register(watched);
    }

    /** Calls {@code onReadable} on the loop while {@code descriptor} has something to read, until it is closed. */
    public DescriptorWatch watch(int descriptor, Runnable onReadable) {
        assert inEventLoop();
        return new DescriptorWatch(this, descriptor, onReadable);
    }

    /** Turns that this loop has made. Any thread. */
    public Counter turns() {
        return turns;
    }

    /** Completions that this loop has handed to listeners. Any thread. */
    public Counter completions() {
        return completions;
    }

    /** What it does with its time. Any thread. */
    public LoopCounters counters() {
        return counters;
    }

    /** Exceptions thrown by listeners, deadlines and turn-end hooks: bugs. Any thread. */
    public Counter handlerErrors() {
        return handlerErrors;
    }

    /**
     * Polls, fires deadlines and ends the turn, again while that makes completions. Returns how much there was to do: 0 only
     * if nothing is left.
     */
    int turn() {
        turns.increment();
        int total = 0;
        int work;
        do {
            work = pollQueues() + fireDeadlines();
            if (work > 0 || total == 0) {
                endTurn();
            }
            total += work;
        } while ((work > 0 || !ready.isEmpty()) && total < MAX_COMPLETIONS_A_TURN);
        return total;
    }

    /** Asks for a notification on each completion channel; what came before the arming shows in the next poll. */
    void armNotifications() {
        for (CompletionNotification notification : notifications) {
            notification.queue().requestNotification();
        }
    }

    boolean hasNotifications() {
        return notifications.length != 0;
    }

    /** Nanoseconds until the earliest deadline. */
    long nanosToDeadline(long now) {
        return deadlines.earliestNanos(now);
    }

    /** Tasks that were handed to {@link #execute} so far. */
    long tasks() {
        return tasks.get();
    }

    LoopActivity activity() {
        return activity;
    }

    private int pollQueues() {
        activity.woken(LoopActivity.Kind.COMPLETION_LISTENER);
        int total = 0;
        boolean again = true;
        while (again && total < MAX_COMPLETIONS_A_TURN) {
            again = false;
            for (CompletionQueue queue : queues) {
                int polled = poll(queue);
                total += polled;
                again |= polled > 0;
            }
            // One round: what they leave, or make, has its turn after the others.
            for (int waiting = ready.size(); waiting > 0 && total < MAX_COMPLETIONS_A_TURN; waiting--) {
                CompletionQueue queue = ready.take();
                total += queue == null ? 0 : poll(queue);
            }
            again |= !ready.isEmpty();
        }
        completions.add(total);
        return total;
    }

    private int poll(CompletionQueue queue) {
        try {
            int polled = queue.poll(POLL_BATCH);
            counters.onPoll(polled);
            return polled;
        } catch (RuntimeException | AssertionError e) {
            onHandlerError("completion listener", e);
            return 1;
        }
    }

    private int fireDeadlines() {
        activity.doing(LoopActivity.Kind.DEADLINE);
        try {
            return deadlines.fireDue(System.nanoTime());
        } catch (RuntimeException | AssertionError e) {
            onHandlerError("deadline", e);
            return 1;
        }
    }

    private void endTurn() {
        activity.doing(LoopActivity.Kind.TURN_END);
        for (TurnEndListener listener : turnEndListeners) {
            try {
                listener.onTurnEnd();
            } catch (RuntimeException | AssertionError e) {
                onHandlerError("turn-end listener", e);
            }
        }
    }

    void onHandlerError(String what, Throwable error) {
        handlerErrors.increment();
        LOG.error("{}: a {} threw; the loop goes on", name, what, error);
    }

    private static <T> T[] append(T[] array, T element) {
        T[] longer = Arrays.copyOf(array, array.length + 1);
        longer[array.length] = element;
        return longer;
    }

    private static <T> T[] remove(T[] array, T element) {
        int index = Arrays.asList(array).indexOf(element);
        if (index < 0) {
            return array;
        }
        T[] shorter = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, index + 1, shorter, index, shorter.length - index);
        return shorter;
    }

    @Override
    public String toString() {
        return name;
    }
}
