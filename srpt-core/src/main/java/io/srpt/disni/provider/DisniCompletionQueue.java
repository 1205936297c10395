package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import com.ibm.disni.verbs.impl.NatObject;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An {@code IbvCQ} with a completion channel of its own, polled by one loop through one {@code SVCPollCq}. */
final class DisniCompletionQueue implements CompletionQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DisniCompletionQueue.class);
    private static final int BATCH = 64;

    private final DisniDevice device;
    private final RdmaLoop loop;
    private final int capacity;
    private final CompletionListener listener;
    private final RdmaVerbs verbs;
    private final IbvCompChannel channel;
    private final IbvCQ queue;
    private final int descriptor;
    private final IbvWC[] completions = new IbvWC[BATCH];
    private final SVCPollCq pollCall;
    private final SVCReqNotify notifyCall;
    private final DisniCompletion view = new DisniCompletion();
    private int next;
    private int polled;
    private boolean closed;

    DisniCompletionQueue(
            DisniDevice device, IbvContext context, RdmaLoop loop, int capacity, CompletionListener listener)
            throws VerbsException {
        this.device = device;
        this.loop = loop;
        this.capacity = capacity;
        this.listener = listener;
        for (int i = 0; i < BATCH; i++) {
            completions[i] = new IbvWC();
        }
        try {
            verbs = RdmaVerbs.open();
            channel = context.createCompChannel();
            queue = context.createCQ(channel, capacity, 0);
            pollCall = verbs.pollCQ(queue, completions, BATCH);
            notifyCall = verbs.reqNotifyCQ(queue, false);
        } catch (IOException e) {
            throw new VerbsException(device.name() + ": no completion queue of " + capacity + ": " + e.getMessage(), e);
        }
        descriptor = VerbsNative.completionDescriptor(((NatObject) channel).getObjId());
    }

    long pointer() {
        return ((NatObject) queue).getObjId();
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
        assert loop.inEventLoop();
        if (next == polled && !refill()) {
            return 0;
        }
        int count = Math.min(max, polled - next);
        int end = next + count;
        try {
            while (next < end && !closed) {
                IbvWC raw = completions[next++];
                CompletionTarget target = device.targets().find(raw.getWr_id());
                if (target != null) {
                    target.onCompletion(raw, view, listener);
                }
            }
        } finally {
            if (!closed) {
                listener.onPolled();
            }
        }
        return count;
    }

    private boolean refill() {
        if (closed) {
            return false;
        }
        next = 0;
        polled = 0;
        try {
            polled = pollCall.execute().getPolls();
        } catch (IOException e) {
            LOG.error("{}: polling a completion queue failed", device.name(), e);
        }
        return polled > 0;
    }

    @Override
    public void requestNotification() {
        if (closed) {
            return;
        }
        try {
            notifyCall.execute();
        } catch (IOException e) {
            LOG.error("{}: a completion queue could not be armed", device.name(), e);
        }
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public void drainNotifications() {
        try {
            int events = 0;
            while (!closed && verbs.getCqEvent(channel, queue, 0)) {
                events++;
            }
            if (events > 0) {
                verbs.ackCqEvents(queue, events);
            }
        } catch (IOException e) {
            LOG.error("{}: events of a completion channel could not be taken", device.name(), e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        drainNotifications();
        closed = true;
        loop.detach(this);
        try {
            pollCall.free();
            notifyCall.free();
            verbs.destroyCQ(queue);
            verbs.destroyCompChannel(channel);
        } catch (IOException e) {
            LOG.warn("{}: a completion queue could not be freed: {}", device.name(), e.getMessage());
        }
    }
}
