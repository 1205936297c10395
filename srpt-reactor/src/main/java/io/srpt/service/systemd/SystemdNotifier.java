package io.srpt.service.systemd;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol of {@code sd_notify(3)}: datagrams of lines {@code KEY=value} to the socket in {@code NOTIFY_SOCKET}, a path,
 * or with {@code @} in front a name without file. {@code WATCHDOG_USEC} is how long systemd waits for {@code WATCHDOG=1}
 * before it ends the process that {@code WATCHDOG_PID} names.
 */
public final class SystemdNotifier implements ServiceManager {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);
    private static final long LIMIT_MILLIS = 1000;
    private static final long NANOS_PER_MICRO = 1000;

    private final Channel channel;
    private final @Nullable Duration watchdog;

    private SystemdNotifier(Channel channel, @Nullable Duration watchdog) {
        this.channel = channel;
        this.watchdog = watchdog;
    }

    /** Connects to the socket that {@code environment} names; {@link ServiceManager#NONE} without one. */
    public static ServiceManager of(Map<String, String> environment, long processId, EventLoopGroup group) {
        String socket = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (socket.isEmpty()) {
            return NONE;
        }
        String path = socket.startsWith("@") ? "\0" + socket.substring(1) : socket;
        ChannelFuture connected = new Bootstrap()
                .group(group)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new DomainSocketAddress(path));
        if (!connected.awaitUninterruptibly(LIMIT_MILLIS) || !connected.isSuccess()) {
            LOG.warn("Cannot tell systemd at {}: {}", socket, String.valueOf(connected.cause()));
            connected.channel().close();
            return NONE;
        }
        return new SystemdNotifier(connected.channel(), watchdog(environment, processId));
    }

    private static @Nullable Duration watchdog(Map<String, String> environment, long processId) {
        String processWatched = environment.getOrDefault("WATCHDOG_PID", "");
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        if (micros.isEmpty() || !processWatched.isEmpty() && !processWatched.equals(Long.toString(processId))) {
            return null;
        }
        try {
            long value = Long.parseLong(micros);
            return value > 0 ? Duration.of(value, ChronoUnit.MICROS) : null;
        } catch (NumberFormatException e) {
            LOG.warn("WATCHDOG_USEC is no number: {}", micros);
            return null;
        }
    }

    @Override
    public void ready(String status) {
        send("READY=1\nSTATUS=" + status);
    }

    @Override
    public void status(String status) {
        send("STATUS=" + status);
    }

    /** systemd wants to know when, by the monotonic clock, which is Java's on Linux. */
    @Override
    public void reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / NANOS_PER_MICRO);
    }

    @Override
    public void stopping() {
        send("STOPPING=1\nSTATUS=Stopping");
    }

    @Override
    public void alive() {
        send("WATCHDOG=1");
    }

    @Override
    public @Nullable Duration watchdog() {
        return watchdog;
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void send(String message) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(message.getBytes(StandardCharsets.UTF_8)))
                .addListener(sent -> {
                    if (!sent.isSuccess()) {
                        LOG.debug("systemd was not told {}", message, sent.cause());
                    }
                });
    }
}
