package io.srpt.service.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;

/**
 * The connections of a server, of which there are at most so many: one more takes the place of the one that has been without a
 * request for the longest time. A connection that brings no whole request head for too long, or does not take its answer, is
 * closed.
 *
 * <p>Threads: any; a channel's handler is on its loop.
 */
final class Connections {
    private final int most;
    private final long headMillis;
    private final long writeMillis;
    private final Set<Channel> open = new HashSet<>();
    /** Without a request, the longest first. */
    private final Set<Channel> waiting = new LinkedHashSet<>();

    /**
     * At most so many.
     *
     * @param head how long after the last answer the next request head may take
     * @param write how long an answer may take to be taken
     */
    Connections(int most, Duration head, Duration write) {
        this.most = most;
        this.headMillis = head.toMillis();
        this.writeMillis = write.toMillis();
    }

    /** Watches a new connection, whose HTTP codec is in its place. */
    void watch(Channel channel) {
        channel.pipeline().addFirst(new WriteTimeoutHandler(writeMillis, TimeUnit.MILLISECONDS));
        channel.pipeline().addAfter(NettyPipeline.HttpCodec, "srpt.connection", new Watch());
        Channel superfluous = add(channel);
        if (superfluous != null) {
            superfluous.close();
        }
    }

    /** How many there are. */
    synchronized int count() {
        return open.size();
    }

    /** Who has to go for it, null for nobody. */
    private synchronized @Nullable Channel add(Channel channel) {
        open.add(channel);
        waiting.add(channel);
        if (open.size() <= most) {
            return null;
        }
        Channel eldest = waiting.iterator().next();
        remove(eldest);
        return eldest;
    }

    private synchronized void remove(Channel channel) {
        open.remove(channel);
        waiting.remove(channel);
    }

    private synchronized void waits(Channel channel, boolean without) {
        if (!without) {
            waiting.remove(channel);
        } else if (open.contains(channel)) {
            waiting.add(channel);
        }
    }

    private final class Watch extends ChannelDuplexHandler {
        private @Nullable Future<?> deadline;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            startClock(context);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            stopClock();
            remove(context.channel());
            super.channelInactive(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof HttpRequest) {
                stopClock();
                waits(context.channel(), false);
            }
            super.channelRead(context, message);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof LastHttpContent) {
                promise.unvoid().addListener(written -> {
                    waits(context.channel(), true);
                    startClock(context);
                });
            }
            super.write(context, message, promise);
        }

        private void startClock(ChannelHandlerContext context) {
            stopClock();
            deadline = context.executor().schedule(() -> context.close(), headMillis, TimeUnit.MILLISECONDS);
        }

        private void stopClock() {
            Future<?> running = deadline;
            if (running != null) {
                running.cancel(false);
                deadline = null;
            }
        }
    }
}
