package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the HTTP side that send too much, too slowly, or are too many: the target's I/O goes on, and memory stays bounded. */
@Timeout(90)
class HttpLimitsTest {
    private static final String CONFIGURATION = LiveService.withToken() + "acls: any\nlun: memory:1MiB\n";
    private static final long HUNDRED_MIB = 100L << 20;
    private static final int CONNECTIONS = 1000;
    private static final int MOST_CONNECTIONS = 256;
    private static final long MEMORY = 32L << 20;
    /** Well below what an initiator waits for. */
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    @Test
    void refusesABodyOfAHundredMebibytesBeforeItCame() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                Io io = new Io()) {
            long before = memory();
            Sent announced = send(live, "Content-Length: " + HUNDRED_MIB, false);
            Sent chunked = send(live, "Transfer-Encoding: chunked", true);

            assertThat(announced.answer()).startsWith("HTTP/1.1 413");
            assertThat(announced.bytes()).isLessThan(HUNDRED_MIB / 4);
            assertThat(chunked.answer()).isIn("", announced.answer());
            assertThat(chunked.bytes()).isLessThan(HUNDRED_MIB / 4);
            assertThat(memory() - before).isLessThan(MEMORY);
            assertThat(live.send("GET", "/readyz", null).statusCode()).isEqualTo(200);
            io.assertGoesOn();
        }
    }

    /** What was sent before the other side had enough. */
    private record Sent(long bytes, String answer) {}

    private static Sent send(LiveService live, String header, boolean chunks) throws IOException {
        byte[] block = new byte[64 * 1024];
        java.util.Arrays.fill(block, (byte) ' ');
        try (Socket socket = connect(live)) {
            OutputStream out = socket.getOutputStream();
            out.write(head("POST /api/v1/luns", "Authorization: Bearer " + LiveService.TOKEN, header));
            long sent = 0;
            try {
                while (sent < HUNDRED_MIB) {
                    if (chunks) {
                        out.write("10000\r\n".getBytes(StandardCharsets.US_ASCII));
                    }
                    out.write(block);
                    if (chunks) {
                        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                    }
                    sent += block.length;
                }
            } catch (IOException e) {
                // The other side has closed the connection, as it should.
            }
            return new Sent(sent, answer(socket));
        }
    }

    /** The first line, or nothing if the connection was reset before it could be read. */
    private static String answer(Socket socket) {
        try {
            String text = new String(socket.getInputStream().readNBytes(200), StandardCharsets.US_ASCII);
            return text.lines().findFirst().orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void closesAConnectionWhoseBodyComesTooSlowly() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                Socket socket = connect(live);
                Io io = new Io()) {
            socket.getOutputStream()
                    .write(head(
                            "POST /api/v1/luns", "Authorization: Bearer " + LiveService.TOKEN, "Content-Length: 100"));
            socket.getOutputStream().write('{');
            long start = System.nanoTime();

            InputStream in = socket.getInputStream();
            String answer = new String(in.readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(40));
            assertThat(answer).startsWith("HTTP/1.1 408");
            io.assertGoesOn();
        }
    }

    @Test
    void aThousandConnectionsTakeEachOthersPlaces() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                Io io = new Io()) {
            long before = memory();
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = connect(live);
                sockets.add(socket);
                // Half of them begin a request and leave it at that.
                if (i % 2 == 0) {
                    socket.getOutputStream().write("GET /metr".getBytes(StandardCharsets.US_ASCII));
                }
            }
            assertThat(live.send("GET", "/readyz", null).statusCode()).isEqualTo(200);
            assertThat(live.send("POST", "/api/v1/reload", LiveService.TOKEN).statusCode())
                    .isEqualTo(200);
            long open = sockets.stream().filter(HttpLimitsTest::isOpen).count();
            assertThat(open).isBetween(1L, (long) MOST_CONNECTIONS);
            assertThat(memory() - before).isLessThan(MEMORY);
            io.assertGoesOn();
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] head(String request, String... headers) {
        return (request + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("\r\n", headers) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static Socket connect(LiveService live) throws IOException {
        Socket socket =
                new Socket(InetAddress.ofLiteral("127.0.0.1"), live.uri("/").getPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** Bytes in use, those outside of the heap included. */
    private static long memory() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct;
    }

    /** An initiator that writes and reads back all the time. */
    private static final class Io implements AutoCloseable {
        private final InitiatorHost host = LiveService.initiator(INITIATOR);
        private final BlockingSrpClient session;
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread = Thread.ofPlatform().unstarted(this::run);
        private volatile int rounds;
        private volatile long longestNanos;

        Io() throws Exception {
            session = LiveService.login(host, ADDRESS);
            thread.start();
        }

        private void run() {
            byte[] data = new byte[4096];
            try {
                while (!stop.get()) {
                    long began = System.nanoTime();
                    data[0]++;
                    session.write(0, rounds % 256 * 8L, data, 512);
                    if (session.read(0, rounds % 256 * 8L, 8, 512)[0] != data[0]) {
                        throw new AssertionError("other data came back");
                    }
                    longestNanos = Math.max(longestNanos, System.nanoTime() - began);
                    rounds++;
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        }

        /** It does, and neither failed nor stood still since it began. */
        void assertGoesOn() throws InterruptedException {
            int before = rounds;
            long start = System.nanoTime();
            while (rounds < before + 20 && failure.get() == null) {
                assertThat(System.nanoTime() - start)
                        .isLessThan(Duration.ofSeconds(20).toNanos());
                Thread.onSpinWait();
            }
            assertThat(failure.get()).isNull();
            assertThat(Duration.ofNanos(longestNanos)).isLessThan(LONGEST_ROUND);
        }

        @Override
        public void close() throws Exception {
            stop.set(true);
            thread.join();
            session.close();
            host.close();
        }
    }
}
