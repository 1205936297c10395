package io.srpt.roce.net;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.Gid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP socket on an event loop: level-triggered epoll, {@code recvmmsg} into fixed buffers, {@code sendmmsg} from a ring
 * of slots, and where possible many datagrams as one message of either (UDP_SEGMENT, UDP_GRO). When the socket's send buffer
 * is full, slots wait in the ring for EPOLLOUT.
 */
public final class EpollDatagramPort implements DatagramPort, EpollIoHandle {
    private static final Logger LOG = LoggerFactory.getLogger(EpollDatagramPort.class);
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    private static final int RECEIVE_BATCH = 32;
    /** Batches taken before other sockets of the loop have their turn. */
    private static final int MAX_BATCHES = 8;

    private static final int SEND_SLOTS = 256;
    private static final int SEND_BATCH = 64;

    private final RdmaEventLoop loop;
    private final Gid localGid;
    private final UdpSocket socket;
    private final int receiveBufferBytes;
    private final NativeDatagrams system = new NativeDatagrams();
    private final ReceiveBatch arrivals;
    private final SendRing ring;
    private boolean blocked;
    private long sendErrors;
    private long truncated;
    private long receiveErrors;
    private @Nullable DatagramReceiver receiver;
    private @Nullable IoRegistration registration;

    private EpollDatagramPort(RdmaEventLoop loop, InetAddress address, UdpSocket socket, boolean segmenting)
            throws IOException {
        this.loop = loop;
        this.localGid = Gid.of(address);
        this.socket = socket;
        this.receiveBufferBytes = socket.getReceiveBufferSize();
        boolean ipv4 = localGid.isIpv4Mapped();
        int scope = address instanceof Inet6Address v6 ? v6.getScopeId() : 0;
        this.arrivals = new ReceiveBatch(RECEIVE_BATCH, ipv4);
        this.ring = new SendRing(SEND_SLOTS, ipv4, scope, segmenting);
    }

    /**
     * Binds {@code address} and puts the socket on {@code loop}. Any thread.
     *
     * @throws IOException with a message for the operator when the address cannot be bound
     */
    public static EpollDatagramPort bind(RdmaEventLoop loop, InetAddress address) throws IOException {
        boolean segmenting = Segmentation.isSafe(address);
        UdpSocket socket = UdpSocket.bind(address, SOCKET_BUFFER_BYTES, segmenting);
        EpollDatagramPort port = new EpollDatagramPort(loop, address, socket, segmenting);
        if (port.receiveBufferBytes < SOCKET_BUFFER_BYTES) {
            LOG.warn(
                    "{}: the system grants a receive buffer of {} bytes only, which bounds the RDMA READs in flight;"
                            + " `sysctl -w net.core.rmem_max={} net.core.wmem_max={}` lifts it",
                    address.getHostAddress(),
                    port.receiveBufferBytes,
                    SOCKET_BUFFER_BYTES,
                    SOCKET_BUFFER_BYTES);
        }
        return port;
    }

    @Override
    public Gid localGid() {
        return localGid;
    }

    @Override
    public void open(DatagramReceiver newReceiver) {
        assert loop.inEventLoop();
        receiver = newReceiver;
        loop.register(this).addListener(future -> {
            if (!future.isSuccess()) {
                throw new IllegalStateException("cannot watch the socket of " + localGid, future.cause());
            }
            IoRegistration registered = (IoRegistration) future.getNow();
            registration = registered;
            registered.submit(EpollIoOps.EPOLLIN);
        });
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public void handle(IoRegistration ioRegistration, IoEvent event) {
        EpollIoOps ops = ((EpollIoEvent) event).ops();
        if (ops.contains(EpollIoOps.EPOLLOUT)) {
            flush();
        }
        if (ops.contains(EpollIoOps.EPOLLIN)) {
            receive();
        }
    }

    private void receive() {
        for (int batch = 0; batch < MAX_BATCHES && socket.isOpen(); batch++) {
            int count = system.receive(socket.intValue(), arrivals.headers(), arrivals.count());
            if (count <= 0) {
                if (count < 0 && count != -NativeDatagrams.EAGAIN && count != -NativeDatagrams.EINTR) {
                    receiveFailed(-count);
                }
                return;
            }
            for (int i = 0; i < count; i++) {
                deliver(i);
            }
            if (count < arrivals.count()) {
                return;
            }
        }
    }

    private void receiveFailed(int error) {
        if (receiveErrors++ == 0) {
            LOG.warn("{}: recvmmsg failed with error {}; further ones are counted", localGid, error);
        }
    }

    private void deliver(int index) {
        int length = arrivals.length(index);
        int each = arrivals.datagramLength(index);
        if (arrivals.isTruncated(index) || each > Datagram.CAPACITY) {
            truncated++;
            return;
        }
        for (int start = 0; start < length; start += each) {
            DatagramReceiver to = receiver;
            if (to != null) {
                to.onDatagram(arrivals.datagram(index, start, Math.min(each, length - start)));
            }
        }
    }

    @Override
    public @Nullable Datagram claim() {
        if (ring.isFull()) {
            flush();
        }
        return ring.claim();
    }

    @Override
    public int identificationOf(Datagram datagram, int length) {
        return ring.placeOf(datagram, length);
    }

    @Override
    public void send(Datagram datagram) {
        ring.add(datagram);
    }

    @Override
    public void flush() {
        ring.seal();
        while (!ring.isEmpty()) {
            int sent = system.send(socket.intValue(), ring.headers(), ring.contiguous(SEND_BATCH));
            if (sent > 0) {
                ring.release(sent);
            } else if (sent == -NativeDatagrams.EAGAIN || sent == -NativeDatagrams.ENOBUFS) {
                ring.settle();
                watchWritable(true);
                return;
            } else if (sent != -NativeDatagrams.EINTR) {
                dropRefused(-sent);
            }
        }
        if (blocked) {
            watchWritable(false);
            DatagramReceiver to = receiver;
            if (to != null) {
                to.onWritable();
            }
        }
    }

    /** The network has no way to this peer now (no route, down, too long): the datagram is lost, as on any fabric. */
    private void dropRefused(int error) {
        if (sendErrors == 0) {
            LOG.warn("{}: sendmmsg refused a datagram with error {}; further ones are counted", localGid, error);
        }
        sendErrors += ring.release(1);
    }

    private void watchWritable(boolean watch) {
        IoRegistration registered = registration;
        if (blocked != watch && registered != null) {
            blocked = watch;
            registered.submit(watch ? EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLOUT) : EpollIoOps.EPOLLIN);
        }
    }

    @Override
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    @Override
    public long sendErrors() {
        return sendErrors;
    }

    /** Datagrams that were longer than a slot and so no RoCE packet of ours. */
    public long truncated() {
        return truncated;
    }

    /** Calls to receive that failed. */
    public long receiveErrors() {
        return receiveErrors;
    }

    @Override
    public void close() {
        receiver = null;
        IoRegistration registered = registration;
        registration = null;
        if (registered != null) {
            registered.cancel();
        }
        if (socket.isOpen()) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
