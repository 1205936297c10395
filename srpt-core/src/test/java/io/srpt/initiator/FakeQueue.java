package io.srpt.initiator;

import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.Queue;

/** A completion queue that the fake queue pair fills. */
final class FakeQueue implements CompletionQueue {
    private final RdmaLoop loop;
    private final int capacity;
    private final CompletionListener listener;
    private final Queue<Entry> entries = new ArrayDeque<>();

    FakeQueue(RdmaLoop loop, int capacity, CompletionListener listener) {
        this.loop = loop;
        this.capacity = capacity;
        this.listener = listener;
        loop.attach(this);
    }

    void add(Entry entry) {
        if (entries.size() == capacity) {
            throw new AssertionError("completion queue overrun");
        }
        entries.add(entry);
    }

    @Override
    public RdmaLoop loop() {
        return loop;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int poll(int max) {
        int polled = 0;
        for (Entry entry = entries.poll(); entry != null; entry = polled < max ? entries.poll() : null) {
            entry.beforeDelivery().run();
            listener.onCompletion(entry);
            polled++;
        }
        return polled;
    }

    @Override
    public void requestNotification() {}

    @Override
    public int descriptor() {
        return NO_DESCRIPTOR;
    }

    @Override
    public void drainNotifications() {}

    @Override
    public void close() {
        entries.clear();
        loop.detach(this);
    }

    /** One completion. */
    record Entry(
            long wrId,
            WorkCompletionStatus status,
            WorkCompletionOpcode opcode,
            int byteLength,
            int queuePairNumber,
            Runnable beforeDelivery)
            implements WorkCompletion {
        @Override
        public int vendorError() {
            return 0;
        }

        @Override
        public int immediate() {
            return 0;
        }

        @Override
        public boolean hasImmediate() {
            return false;
        }

        @Override
        public int invalidatedKey() {
            return 0;
        }

        @Override
        public int sourceQueuePair() {
            return 0;
        }

        @Override
        public Gid sourceGid() {
            return new Gid(0, 0);
        }

        @Override
        public int destinationGidIndex() {
            return 0;
        }

        @Override
        public int pkeyIndex() {
            return 0;
        }
    }
}
