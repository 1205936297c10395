package io.srpt.roce.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sockets on the loopback interface: batches, peers' addresses, and what the operator is told. */
class EpollDatagramPortTest {
    private static final int BATCH = 300;
    private static final long WAIT_SECONDS = 10;

    private final RdmaEventLoops loops = new RdmaEventLoops(1, "test-loop", Duration.ZERO);
    private final RdmaEventLoop loop = loops.loops().getFirst();

    @AfterEach
    void stop() {
        loops.close();
    }

    @Test
    @Tag("pitfall-46")
    void aBatchLargerThanTheRingArrivesInOrderWithThePeersAddress() throws Exception {
        EpollDatagramPort left = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.71"));
        EpollDatagramPort right = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.72"));
        BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
        onLoop(() -> {
            left.open(new Collector(datagram -> {}));
            right.open(new Collector(datagram -> {
                assertThat(datagram.isFrom(left.localGid())).isTrue();
                assertThat(datagram.remotePort()).isEqualTo(4791);
                assertThat(datagram.length()).isEqualTo(100);
                received.add(datagram.buffer().getInt(datagram.offset()));
            }));
            for (int i = 0; i < BATCH; i++) {
                sendNumber(left, right, i);
            }
            left.flush();
        });
        for (int i = 0; i < BATCH; i++) {
            assertThat(received.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(i);
        }
        onLoop(() -> {
            left.close();
            right.close();
        });
    }

    @Test
    void lentPayloadsArriveInTheirPlaceBesideWholeDatagrams() throws Exception {
        EpollDatagramPort left = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.76"));
        EpollDatagramPort right = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.77"));
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        // Rows of one size, which leave as one message, with a shorter one at their end, and changes of kind within
        // them.
        int[] lengths = {4148, 4148, 4148, 84, 1000, 1000, 1000, 1000, 999, 4, 4148, 4148};
        boolean[] lent = {true, false, true, false, false, true, true, false, true, false, true, true};
        onLoop(() -> {
            left.open(new Collector(datagram -> {}));
            right.open(new Collector(datagram -> received.add(bytesOf(datagram))));
            ByteBuffer memory = ByteBuffer.allocateDirect(lengths.length * 5000);
            for (int i = 0; i < lengths.length; i++) {
                Datagram slot = claim(left, right);
                if (lent[i]) {
                    lend(slot, memory, i * 5000, patterned(i, lengths[i]));
                } else {
                    slot.buffer().put(0, patterned(i, lengths[i]));
                }
                slot.length(lengths[i]).identification(left.identificationOf(slot, lengths[i]));
                left.send(slot);
            }
            left.flush();
        });
        for (int i = 0; i < lengths.length; i++) {
            assertThat(received.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(patterned(i, lengths[i]));
        }
        onLoop(() -> {
            left.close();
            right.close();
        });
    }

    @Test
    void whatWaitsForTheSocketIsLentNoLonger() throws Exception {
        EpollDatagramPort right = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.78"));
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        onLoop(() -> right.open(new Collector(datagram -> received.add(bytesOf(datagram)))));
        SendRing ring = new SendRing(4, true, 0, true);
        ByteBuffer memory = ByteBuffer.allocateDirect(8192);
        for (int i = 0; i < 3; i++) {
            Datagram slot = Objects.requireNonNull(ring.claim());
            slot.remote(right.localGid().high(), right.localGid().low(), 4791);
            lend(slot, memory, 100, patterned(i, 2001 - i));
            slot.length(2001 - i).identification(0);
            ring.add(slot);
            ring.settle();
            memory.put(0, new byte[8192]);
        }
        UdpSocket socket = UdpSocket.bind(InetAddress.ofLiteral("127.0.0.79"), 1 << 20, true);
        assertThat(new NativeDatagrams().send(socket.intValue(), ring.headers(), ring.contiguous(3)))
                .isEqualTo(3);
        socket.close();
        for (int i = 0; i < 3; i++) {
            assertThat(received.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(patterned(i, 2001 - i));
        }
        onLoop(right::close);
    }

    private static Datagram claim(DatagramPort from, DatagramPort to) {
        Datagram slot = Objects.requireNonNull(from.claim());
        return slot.remote(to.localGid().high(), to.localGid().low(), 4791);
    }

    /** Puts the first 20 bytes and the last 7 of {@code bytes} into the slot, and lends the others at {@code at} of {@code memory}. */
    private static void lend(Datagram slot, ByteBuffer memory, int at, byte[] bytes) {
        int start = 20;
        int end = bytes.length - 7;
        memory.put(at, bytes, start, end - start);
        slot.buffer().put(0, bytes, 0, start).put(start, bytes, end, 7);
        slot.lend(start, memory, at, MemorySegment.ofBuffer(memory).address() + at, end - start);
    }

    private static byte[] patterned(int seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytesOf(Datagram datagram) {
        byte[] bytes = new byte[datagram.length()];
        datagram.buffer().get(datagram.offset(), bytes);
        return bytes;
    }

    @Test
    void ipv6CarriesTheSame() throws Exception {
        EpollDatagramPort port = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("::1"));
        BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
        onLoop(() -> {
            port.open(new Collector(datagram -> received.add(datagram.buffer().getInt(datagram.offset()))));
            sendNumber(port, port, 42);
            port.flush();
        });
        assertThat(received.poll(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(42);
        onLoop(port::close);
    }

    @Test
    @Tag("pitfall-47")
    void anAddressInUseIsNamedInTheMessage() throws Exception {
        EpollDatagramPort port = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.73"));
        assertThatThrownBy(() -> EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.73")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.73")
                .hasMessageContaining("4791")
                .hasMessageContaining("rdma_rxe");
        onLoop(port::close);
    }

    @Test
    void steadyTrafficAllocatesNothingPerDatagram() throws Exception {
        EpollDatagramPort left = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.74"));
        EpollDatagramPort right = EpollDatagramPort.bind(loop, InetAddress.ofLiteral("127.0.0.75"));
        var echo = new Echo();
        onLoop(() -> {
            left.open(echo.new End(left, right));
            right.open(echo.new End(right, left));
            sendNumber(left, right, 0);
            left.flush();
        });
        long allocated = echo.leastAllocated.get(60, TimeUnit.SECONDS);
        assertThat(allocated / Echo.WINDOW)
                .as("bytes per datagram, %d in a window", allocated)
                .isLessThan(8);
        onLoop(() -> {
            left.close();
            right.close();
        });
    }

    private static void sendNumber(DatagramPort from, DatagramPort to, int number) {
        Datagram slot = from.claim();
        assertThat(slot).isNotNull();
        slot.buffer().putInt(0, number);
        slot.length(100).remote(to.localGid().high(), to.localGid().low(), 4791);
        from.send(slot);
    }

    private void onLoop(Runnable action) throws Exception {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (RuntimeException | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        done.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private record Collector(Consumer<Datagram> to) implements DatagramReceiver {
        @Override
        public void onDatagram(Datagram datagram) {
            to.accept(datagram);
        }

        @Override
        public void onWritable() {}
    }

    /**
     * Two ports that throw a number back and forth, and the least that the loop allocates in a window of datagrams: the
     * first windows run before the compiler has seen the code.
     */
    private static final class Echo {
        static final int WINDOW = 20_000;
        private static final int WINDOWS = 20;

        final CompletableFuture<Long> leastAllocated = new CompletableFuture<>();
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private long least = Long.MAX_VALUE;
        private long atStart;

        private void onWindow() {
            long now = threads.getCurrentThreadAllocatedBytes();
            least = Math.min(least, now - atStart);
            atStart = now;
        }

        final class End implements DatagramReceiver {
            private final DatagramPort self;
            private final DatagramPort other;

            End(DatagramPort self, DatagramPort other) {
                this.self = self;
                this.other = other;
            }

            @Override
            public void onDatagram(Datagram datagram) {
                int number = datagram.buffer().getInt(datagram.offset());
                if (number % WINDOW == 0) {
                    onWindow();
                }
                if (number == WINDOW * WINDOWS) {
                    leastAllocated.complete(least);
                    return;
                }
                Datagram slot = self.claim();
                if (slot != null) {
                    slot.buffer().putInt(0, number + 1);
                    slot.length(100)
                            .remote(other.localGid().high(), other.localGid().low(), 4791);
                    self.send(slot);
                    self.flush();
                }
            }

            @Override
            public void onWritable() {}
        }
    }
}
