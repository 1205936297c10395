package io.srpt.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bounded pool that does blocking I/O for stores, so that event loops need not.
 *
 * <p>A full queue refuses work at once, which becomes BUSY or TASK SET FULL at the initiator: the queue in front of a slow
 * disk has an end. The threads are never interrupted.
 *
 * <p>Threads: {@link #offer} from any thread; {@link #close()} from any thread but the pool's own.
 */
public final class StoreThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreThreads.class);
    private static final Runnable STOP = () -> {};

    private final BlockingQueue<Runnable> queue;
    private final List<Thread> threads = new ArrayList<>();
    private final OperationPool operations;
    private final int capacity;
    private boolean closed;

    /**
     * Starts the pool.
     *
     * @param threadCount threads, so operations that run at the same time
     * @param queueLength operations that may wait besides
     */
    public StoreThreads(String name, int threadCount, int queueLength) {
        if (threadCount < 1 || queueLength < 1) {
            throw new IllegalArgumentException(
                    "threads " + threadCount + ", queue " + queueLength + ": both must be > 0");
        }
        queue = new ArrayBlockingQueue<>(queueLength);
        capacity = threadCount + queueLength;
        operations = new OperationPool(capacity);
        for (int i = 0; i < threadCount; i++) {
            Thread thread = Thread.ofPlatform().daemon().name(name + "-" + i).unstarted(this::work);
            threads.add(thread);
            thread.start();
        }
    }

    /** Operations that can be in the pool at one time: running and waiting. */
    int capacity() {
        return capacity;
    }

    /** The operations that its stores share. */
    OperationPool operations() {
        return operations;
    }

    /** Queues {@code operation}; false when the queue is full or the pool is closed, and then nothing will run. */
    synchronized boolean offer(Runnable operation) {
        return !closed && queue.offer(operation);
    }

    private void work() {
        while (true) {
            try {
                Runnable operation = queue.take();
                if (operation == STOP) {
                    return;
                }
                operation.run();
            } catch (InterruptedException e) {
                LOG.warn(
                        "Store thread {} was interrupted; nobody should do that",
                        Thread.currentThread().getName());
            } catch (RuntimeException | Error e) {
                LOG.error("A store operation failed in an unforeseen way", e);
            }
        }
    }

    /** Finishes the queued operations, then ends the threads. A second call does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        boolean interrupted = false;
        for (int stopped = 0; stopped < threads.size(); ) {
            try {
                queue.put(STOP);
                stopped++;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        for (Thread thread : threads) {
            interrupted |= join(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }
}
