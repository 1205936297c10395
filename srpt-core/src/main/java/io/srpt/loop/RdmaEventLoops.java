package io.srpt.loop;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The process's event loops, each a thread of its own. Any thread may call; {@link #close()} waits for the loops to end,
 * so not from one of them.
 */
public final class RdmaEventLoops implements AutoCloseable {
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(5);

    private final List<RdmaEventLoop> loops = new CopyOnWriteArrayList<>();
    private final List<StallListener> stallListeners = new CopyOnWriteArrayList<>();
    private final MultiThreadIoEventLoopGroup group;

    /**
     * Starts {@code count} loops.
     *
     * @param namePrefix their threads' name, to which a number is added
     * @param spin how long an idle loop polls before it sleeps; zero sleeps at once
     */
    public RdmaEventLoops(int count, String namePrefix, Duration spin) {
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        IoHandlerFactory factory = new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                RdmaEventLoop loop = new RdmaEventLoop(namePrefix + "-" + (loops.size() + 1), executor);
                loops.add(loop);
                return new CompletionIoHandler(epoll.newHandler(executor), loop, spin.toNanos());
            }
        };
        group = new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(namePrefix), factory);
    }

    /** The loops, in order. */
    public List<RdmaEventLoop> loops() {
        return List.copyOf(loops);
    }

    /** Tells {@code listener} of loops that do not turn in time. */
    public void addStallListener(StallListener listener) {
        stallListeners.add(listener);
    }

    /** Stops telling {@code listener}. */
    public void removeStallListener(StallListener listener) {
        stallListeners.remove(listener);
    }

    /** Ends the loops after the tasks that they have, within five seconds. */
    @Override
    public void close() {
        group.shutdownGracefully(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(SHUTDOWN_LIMIT.toMillis());
    }
}
