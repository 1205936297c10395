package io.srpt.roce;

import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ring of completions that the loop itself fills and polls. It begins small, so that an idle queue pair costs little, and
 * grows as far as it is needed, beyond what was asked for rather than overrun: a poster that takes slots again before it has
 * polled is then slow, not broken.
 *
 * <p>It announces its entries to the loop, once until it has been polled.
 */
final class RoceCompletionQueue implements CompletionQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RoceCompletionQueue.class);

    private static final int INITIAL_LENGTH = 16;

    private final RdmaLoop loop;
    private final CompletionListener listener;
    private final int requested;
    private RoceCompletion[] ring;
    private int head;
    private int tail;
    /** The loop is going to poll it, or does so. */
    private boolean announced;

    private boolean closed;

    RoceCompletionQueue(RdmaLoop loop, int capacity, CompletionListener listener) {
        this.loop = loop;
        this.listener = listener;
        this.requested = capacity;
        this.ring = new RoceCompletion[INITIAL_LENGTH];
        Arrays.setAll(ring, i -> new RoceCompletion());
    }

    /** Appends an entry; the caller completes it by its fluent setters. */
    RoceCompletion add(long wrId, WorkCompletionStatus status, WorkCompletionOpcode opcode, int qpn) {
        assert loop.inEventLoop();
        if (head == tail) {
            rewind();
        } else if (tail - head == ring.length) {
            grow();
        }
        if (!announced) {
            announced = true;
            loop.ready(this);
        }
        return ring[tail++ & ring.length - 1].reset(wrId, status, opcode, qpn);
    }

    /** Nothing is in it: begins with the entry that was used last time, too, and so is in the processor's caches. */
    private void rewind() {
        head = 0;
        tail = 0;
    }

    private void grow() {
        if (ring.length >= requested) {
            LOG.debug("completion queue grows beyond {} entries", ring.length);
        }
        RoceCompletion[] bigger = new RoceCompletion[ring.length * 2];
        for (int i = 0; i < ring.length; i++) {
            bigger[head + i & bigger.length - 1] = ring[head + i & ring.length - 1];
        }
        for (int i = ring.length; i < bigger.length; i++) {
            bigger[head + i & bigger.length - 1] = new RoceCompletion();
        }
        ring = bigger;
    }

    @Override
    public RdmaLoop loop() {
        return loop;
    }

    @Override
    public int capacity() {
        return requested;
    }

    @Override
    public int poll(int max) {
        int polled = 0;
        // What the listener adds is announced at the end.
        announced = true;
        try {
            while (polled < max && head != tail && !closed) {
                RoceCompletion completion = ring[head & ring.length - 1];
                polled++;
                try {
                    listener.onCompletion(completion);
                } finally {
                    head++;
                }
            }
        } finally {
            endPoll(polled);
        }
        return polled;
    }

    private void endPoll(int polled) {
        try {
            if (polled > 0 && !closed) {
                listener.onPolled();
            }
        } finally {
            announced = head != tail && !closed;
            if (announced) {
                loop.ready(this);
            }
        }
    }

    @Override
    public boolean announcesEntries() {
        return true;
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
        if (!closed) {
            closed = true;
            loop.detach(this);
        }
    }
}
