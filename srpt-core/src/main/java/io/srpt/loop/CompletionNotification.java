package io.srpt.loop;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.srpt.verbs.CompletionQueue;
import org.jspecify.annotations.Nullable;

/** A completion channel's descriptor in the loop's epoll set: wakes the loop, which then polls the queue. */
final class CompletionNotification implements EpollIoHandle {
    private final CompletionQueue queue;
    private final FileDescriptor descriptor;
    private @Nullable IoRegistration registration;

    CompletionNotification(RdmaEventLoop loop, CompletionQueue queue) {
        this.queue = queue;
        this.descriptor = new FileDescriptor(queue.descriptor());
        loop.register(this).addListener(future -> {
            if (future.isSuccess()) {
                IoRegistration registered = (IoRegistration) future.getNow();
                registration = registered;
                registered.submit(EpollIoOps.EPOLLIN);
            } else {
                loop.onHandlerError("completion channel registration", future.cause());
            }
        });
    }

    CompletionQueue queue() {
        return queue;
    }

    void cancel() {
        IoRegistration registered = registration;
        if (registered != null) {
            registered.cancel();
        }
    }

    @Override
    public FileDescriptor fd() {
        return descriptor;
    }

    @Override
    public void handle(IoRegistration ioRegistration, IoEvent event) {
        queue.drainNotifications();
    }

    /** The descriptor belongs to the completion channel, which closes it. */
    @Override
    public void close() {}
}
