package io.srpt.service.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.NettyPipeline;

/**
 * The connections of a server, of which there are at most so many: one more takes the place of the one that has been without a
 * request for the longest time. A connection is closed when it is idle for too long, when a request head that has begun does not
 * come in time, however many bytes come of it, and when it does not take its answer.
 *
 * <pre>
 *   IDLE ── first bytes ──▶ HEAD ── whole head ──▶ REQUEST ── answer written ──▶ IDLE
 *    │ idle limit             │ head limit           │ the server's request timeout, write limit
 *    └──────────▶ closed ◀────┴──────────────────────┘
 * </pre>
 *
 * <p>Threads: any; a channel's handler is on its loop.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final Limits limits;
    private final Set<Channel> open = new HashSet<>();
    /** Without a request, the longest first. */
    private final Set<Channel> waiting = new LinkedHashSet<>();

    /**
     * What a server bears.
     *
     * @param connections at most so many
     * @param idle how long a connection may be without a request
     * @param head how long a request head may take from its first byte on
     * @param write how long an answer may take to be taken
     */
    record Limits(int connections, Duration idle, Duration head, Duration write) {}

    /** None yet. */
    Connections(Limits limits) {
        this.limits = limits;
    }

    /** Watches a new connection, whose HTTP codec is in its place. */
    void watch(Channel channel) {
        Watch watch = new Watch();
        channel.pipeline().addFirst(new WriteTimeoutHandler(limits.write.toMillis(), TimeUnit.MILLISECONDS));
        channel.pipeline().addBefore(NettyPipeline.HttpCodec, "srpt.bytes", watch.new Bytes());
        channel.pipeline().addAfter(NettyPipeline.HttpCodec, "srpt.connection", watch);
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
        if (open.size() <= limits.connections) {
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

    /** What a connection is at. */
    private enum Phase {
        IDLE,
        HEAD,
        REQUEST
    }

    /** Behind the codec: sees whole request heads, and answers. */
    private final class Watch extends ChannelDuplexHandler {
        private Phase phase = Phase.IDLE;
        private @Nullable Future<?> deadline;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            startClock(context, limits.idle);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            stopClock();
            remove(context.channel());
            super.channelInactive(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof HttpRequest request) {
                Throwable wrong = request.decoderResult().cause();
                if (wrong != null) {
                    ReferenceCountUtil.release(message);
                    refuse(context, wrong);
                    return;
                }
                phase = Phase.REQUEST;
                stopClock();
                waits(context.channel(), false);
            }
            super.channelRead(context, message);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof LastHttpContent) {
                promise.unvoid().addListener(written -> {
                    phase = Phase.IDLE;
                    waits(context.channel(), true);
                    startClock(context, limits.idle);
                });
            }
            super.write(context, message, promise);
        }

        /** What came is no request: says so, if somebody is there, and ends. */
        private void refuse(ChannelHandlerContext context, Throwable wrong) {
            LOG.debug("{} sends no HTTP: {}", context.channel().remoteAddress(), wrong.toString());
            phase = Phase.REQUEST;
            FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
            context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
        }

        private void startClock(ChannelHandlerContext context, Duration limit) {
            stopClock();
            deadline = context.executor().schedule(() -> context.close(), limit.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void stopClock() {
            Future<?> running = deadline;
            if (running != null) {
                running.cancel(false);
                deadline = null;
            }
        }

        /** Before the codec: sees that a request head begins. */
        private final class Bytes extends ChannelInboundHandlerAdapter {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (phase == Phase.IDLE) {
                    phase = Phase.HEAD;
                    startClock(context, limits.head);
                }
                context.fireChannelRead(message);
            }
        }
    }
}
