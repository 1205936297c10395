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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process's event loops, each a thread of its own. Any thread may call; {@link #close()} waits for the loops to end,
 * so not from one of them.
 */
public final class RdmaEventLoops implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaEventLoops.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(5);

    private final List<RdmaEventLoop> loops = new CopyOnWriteArrayList<>();
    private final List<StallListener> stallListeners = new CopyOnWriteArrayList<>();
    private final MultiThreadIoEventLoopGroup group;
    private final @Nullable StallWatchdog watchdog;

    /**
     * Starts {@code count} loops.
     *
     * @param namePrefix their threads' name, to which a number is added
     * @param spin how long an idle loop polls before it sleeps; zero sleeps at once, null polls as long as it pays
     */
    public RdmaEventLoops(int count, String namePrefix, @Nullable Duration spin) {
        this(count, namePrefix, RdmaLoopSettings.DEFAULTS.withSpin(spin));
    }

    /**
     * Starts {@code count} loops.
     *
     * @param namePrefix their threads' name, to which a number is added
     */
    public RdmaEventLoops(int count, String namePrefix, RdmaLoopSettings settings) {
        long stallNanos = settings.stallLimit().toNanos();
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        IoHandlerFactory factory = new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                String name = namePrefix + "-" + (loops.size() + 1);
                RdmaEventLoop loop = new RdmaEventLoop(name, executor, stallNanos, RdmaEventLoops.this::onStall);
                loops.add(loop);
                return new CompletionIoHandler(epoll.newHandler(executor), loop, settings.newSpinTime());
            }
        };
        group = new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(namePrefix), factory);
        watchdog = stallNanos == 0 ? null : new StallWatchdog(namePrefix + "-watchdog", loops(), stallNanos);
    }

    private void onStall(String loop, String handler, long nanos, boolean over) {
        LOG.warn(
                "{} {} {} ms by a {}",
                loop,
                over ? "was kept from turning for" : "has not turned for",
                nanos / NANOS_PER_MILLI,
                handler);
        for (StallListener listener : stallListeners) {
            listener.onStall(loop, handler, nanos, over);
        }
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
        if (watchdog != null) {
            watchdog.stop();
        }
        group.shutdownGracefully(0, SHUTDOWN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(SHUTDOWN_LIMIT.toMillis());
    }
}
