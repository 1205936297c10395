package io.srpt.target;

import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Delivers the completions of its queue pairs when the loop polls. */
final class FakeCompletionQueue implements CompletionQueue {
    private final FakeRdma device;
    private final int capacity;
    private final CompletionListener listener;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    final List<FakeQueuePair> queuePairs = new ArrayList<>();
    private boolean closed;

    /** One completion; {@code delivered} runs before the listener sees it. */
    record Entry(long wrId, WorkCompletionStatus status, int byteLength, Runnable delivered) implements WorkCompletion {
        @Override
        public WorkCompletionOpcode opcode() {
            return WorkCompletionOpcode.SEND;
        }

        @Override
        public int vendorError() {
            return 0;
        }

        @Override
        public int queuePairNumber() {
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
            return Gid.ZERO;
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

    FakeCompletionQueue(FakeRdma device, int capacity, CompletionListener listener) {
        this.device = device;
        this.capacity = capacity;
        this.listener = listener;
        device.completionQueues++;
        device.loop.attach(this);
    }

    void add(Entry entry) {
        entries.add(entry);
        if (entries.size() > capacity) {
            throw new IllegalStateException("completion queue overrun");
        }
    }

    @Override
    public RdmaLoop loop() {
        return device.loop;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int poll(int max) {
        queuePairs.forEach(FakeQueuePair::executeSends);
        int polled = 0;
        while (polled < max && !entries.isEmpty()) {
            Entry entry = entries.remove();
            entry.delivered.run();
            polled++;
            listener.onCompletion(entry);
        }
        if (polled > 0) {
            listener.onPolled();
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
        if (closed) {
            throw new IllegalStateException("closed twice");
        }
        closed = true;
        device.completionQueues--;
        device.loop.detach(this);
    }
}
