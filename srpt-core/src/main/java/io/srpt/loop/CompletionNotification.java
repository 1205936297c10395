package io.srpt.loop;

import io.srpt.verbs.CompletionQueue;

/** A completion channel's descriptor in the loop's epoll set: wakes the loop, which then polls the queue. */
record CompletionNotification(CompletionQueue queue, DescriptorWatch watch) {
    static CompletionNotification of(RdmaEventLoop loop, CompletionQueue queue) {
        return new CompletionNotification(queue, loop.watch(queue.descriptor(), queue::drainNotifications));
    }

    void cancel() {
        watch.close();
    }
}
