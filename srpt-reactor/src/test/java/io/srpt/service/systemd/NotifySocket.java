package io.srpt.service.systemd;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** systemd's end of the notification socket. */
public final class NotifySocket implements AutoCloseable {
    private static final long LIMIT_SECONDS = 20;

    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final Channel channel;

    public NotifySocket(EventLoopGroup group, String path) {
        channel = new Bootstrap()
                .group(group)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                        messages.add(packet.content().toString(StandardCharsets.UTF_8));
                    }
                })
                .bind(new DomainSocketAddress(path))
                .syncUninterruptibly()
                .channel();
    }

    /** The next message. */
    public String next() throws InterruptedException {
        String message = messages.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message to systemd");
        }
        return message;
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
    }
}
