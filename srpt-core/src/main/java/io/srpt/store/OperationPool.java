package io.srpt.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The preallocated operations of {@link StoreThreads}, shared by the stores on it: a stack without locks.
 *
 * <pre>
 * head (8)   0 how often it changed, so that an old value never fits again (4)   4 index of the top plus 1, 0: empty (4)
 * </pre>
 */
final class OperationPool {
    private final FileOperation[] operations;
    private final int[] below;
    private final AtomicLong head = new AtomicLong();
    private final AtomicInteger free = new AtomicInteger();

    OperationPool(int count) {
        operations = new FileOperation[count];
        below = new int[count];
        for (int i = 0; i < count; i++) {
            operations[i] = new FileOperation(i);
            give(operations[i]);
        }
    }

    @Nullable
    FileOperation take() {
        while (true) {
            long top = head.get();
            int place = (int) top;
            if (place == 0) {
                return null;
            }
            if (head.compareAndSet(top, next(top, below[place - 1]))) {
                free.decrementAndGet();
                return operations[place - 1];
            }
        }
    }

    void give(FileOperation operation) {
        long top;
        do {
            top = head.get();
            below[operation.index()] = (int) top;
        } while (!head.compareAndSet(top, next(top, operation.index() + 1)));
        free.incrementAndGet();
    }

    private static long next(long top, int place) {
        return (top >>> 32) + 1 << 32 | place;
    }

    /** How many could be taken; exact while nobody takes or gives. */
    int free() {
        return free.get();
    }
}
