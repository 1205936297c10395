package io.srpt.roce.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
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
