package io.srpt.loop;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/**
 * Netty I/O handler that polls completion queues and delegates sockets to Netty's epoll handler.
 *
 * <p>A turn that found work, or ended less than the {@link SpinTime} ago, does not block. Before it blocks it arms the
 * completion channels and polls once more, so that a completion between poll and arming cannot be slept over. Deadlines
 * bound the wait.
 */
final class CompletionIoHandler implements IoHandler {
    private final IoHandler epoll;
    private final RdmaEventLoop loop;
    private final SpinTime spin;
    private final BoundedContext bounded = new BoundedContext();
    private long lastWorkNanos = System.nanoTime();
    private long lastTasks;
    /** Whether the sockets had something in the last cycle: its work belongs to the one that runs. */
    private boolean socketsHadWork;

    CompletionIoHandler(IoHandler epoll, RdmaEventLoop loop, SpinTime spin) {
        this.epoll = epoll;
        this.loop = loop;
        this.spin = spin;
    }

    @Override
    public void initialize() {
        loop.activity().start();
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        loop.activity().turn();
        int work = loop.turn();
        if (work == 0 && loop.hasNotifications()) {
            loop.armNotifications();
            work = loop.turn();
        }
        bounded.of(context, mayBlock(work));
        boolean waits = bounded.canBlock();
        loop.counters().onCycleEnd(System.nanoTime(), socketsHadWork || work > 0 || hadTasks());
        if (waits) {
            loop.activity().waiting();
        }
        int events = epoll.run(bounded);
        long now = System.nanoTime();
        if (waits) {
            loop.counters().onWaitEnd(now);
        }
        if (events > 0) {
            work += loop.turn();
        }
        socketsHadWork = events > 0;
        if (work + events > 0) {
            spin.onPause(now - lastWorkNanos);
            lastWorkNanos = System.nanoTime();
        }
        loop.activity().woken(LoopActivity.Kind.TASK);
        return work + events;
    }

    private boolean hadTasks() {
        long tasks = loop.tasks();
        boolean had = tasks != lastTasks;
        lastTasks = tasks;
        return had;
    }

    private boolean mayBlock(int work) {
        long nanos = spin.nanos();
        return work == 0 && (nanos == 0 || System.nanoTime() - lastWorkNanos >= nanos);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return epoll.register(handle);
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    /** The loop's context with our deadlines in it, and without leave to block while there is work. */
    private final class BoundedContext implements IoHandlerContext {
        private static final long NOT_SCHEDULED = -1;

        private IoHandlerContext context = this;
        private boolean mayBlock;

        IoHandlerContext of(IoHandlerContext inner, boolean blockingAllowed) {
            context = inner;
            mayBlock = blockingAllowed;
            return this;
        }

        @Override
        public boolean canBlock() {
            return mayBlock && context.canBlock();
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return Math.min(context.delayNanos(currentTimeNanos), loop.nanosToDeadline(currentTimeNanos));
        }

        @Override
        public long deadlineNanos() {
            long now = System.nanoTime();
            long ours = loop.nanosToDeadline(now);
            long theirs = context.deadlineNanos();
            if (ours == Long.MAX_VALUE) {
                return theirs;
            }
            return theirs == NOT_SCHEDULED ? now + ours : Math.min(theirs, now + ours);
        }

        @Override
        public void reportActiveIoTime(long activeNanos) {
            context.reportActiveIoTime(activeNanos);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return context.shouldReportActiveIoTime();
        }
    }
}
