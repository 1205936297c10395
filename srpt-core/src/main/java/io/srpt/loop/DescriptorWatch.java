package io.srpt.loop;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A file descriptor that somebody else owns in the loop's epoll set, level-triggered. On the loop only.
 */
public final class DescriptorWatch implements EpollIoHandle, AutoCloseable {
    private final RdmaEventLoop loop;
    private final FileDescriptor descriptor;
    private final Runnable onReadable;
    private boolean closed;
    private @Nullable IoRegistration registration;

    DescriptorWatch(RdmaEventLoop loop, int descriptor, Runnable onReadable) {
        this.loop = loop;
        this.descriptor = new FileDescriptor(descriptor);
        this.onReadable = onReadable;
        loop.register(this).addListener(future -> {
            if (future.isSuccess()) {
                registered((IoRegistration) future.getNow());
            } else {
                loop.onHandlerError("descriptor's registration", future.cause());
            }
        });
    }

    private void registered(IoRegistration registered) {
        if (closed) {
            registered.cancel();
            return;
        }
        registration = registered;
        registered.submit(EpollIoOps.EPOLLIN);
    }

    @Override
    public FileDescriptor fd() {
        return descriptor;
    }

    @Override
    public void handle(IoRegistration ioRegistration, IoEvent event) {
        if (closed) {
            return;
        }
        try {
            onReadable.run();
        } catch (RuntimeException | AssertionError e) {
            loop.onHandlerError("descriptor's listener", e);
        }
    }

    /** Stops watching. The descriptor stays open: it belongs to who gave it. */
    @Override
    public void close() {
        closed = true;
        IoRegistration registered = registration;
        registration = null;
        if (registered != null) {
            registered.cancel();
        }
    }
}
