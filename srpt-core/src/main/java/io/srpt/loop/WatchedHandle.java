package io.srpt.loop;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.unix.FileDescriptor;

/** A socket's handle that tells the loop's activity when its events come: the loop may have waited until then. */
record WatchedHandle(EpollIoHandle handle, LoopActivity activity) implements EpollIoHandle {
    @Override
    public FileDescriptor fd() {
        return handle.fd();
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        activity.woken(LoopActivity.Kind.SOCKET);
        handle.handle(registration, event);
    }

    @Override
    public void registered() {
        handle.registered();
    }

    @Override
    public void unregistered() {
        handle.unregistered();
    }

    @Override
    public void close() throws Exception {
        handle.close();
    }
}
