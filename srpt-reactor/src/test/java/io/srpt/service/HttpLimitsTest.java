package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.netty.util.internal.PlatformDependent;
import io.srpt.initiator.BlockingSrpClient;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
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
    private static final int SLOW_HEADS = 200;
    private static final long MEMORY = 32L << 20;
    private static final Duration FASTEST = Duration.ofSeconds(5);
    private static final Duration SLOWEST = Duration.ofSeconds(40);
    private static final String AUTHORIZATION = "Authorization: Bearer " + LiveService.TOKEN;

    private final LoggedLines noise = LoggedLines.of(Level.WARN, "reactor", "io.netty", "io.srpt.service.http");

    @TempDir
    private Path directory;

    /** Whoever can reach the port could fill the log. */
    @AfterEach
    void expectSilence() {
        noise.close();
        assertThat(noise.lines()).isEmpty();
    }

    @Test
    void refusesABodyOfAHundredMebibytesBeforeItCame() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                Io io = new Io()) {
            long before = memory();
            Io.Mark mark = io.mark();
            Sent announced = send(live, "Content-Length: " + HUNDRED_MIB, false);
            Sent chunked = send(live, "Transfer-Encoding: chunked", true);

            assertThat(announced.answer()).startsWith("HTTP/1.1 413");
            assertThat(announced.bytes()).isLessThan(HUNDRED_MIB / 4);
            assertThat(chunked.answer()).isIn("", announced.answer());
            assertThat(chunked.bytes()).isLessThan(HUNDRED_MIB / 4);
            assertThat(memory() - before).isLessThan(MEMORY);
            assertThat(live.send("GET", "/readyz", null).statusCode()).isEqualTo(200);
            io.assertWentOn(mark);
        }
    }

    /** What was sent before the other side had enough. */
    private record Sent(long bytes, String answer) {}

    private static Sent send(LiveService live, String header, boolean chunks) throws IOException {
        byte[] block = new byte[64 * 1024];
        Arrays.fill(block, (byte) ' ');
        try (Socket socket = connect(live)) {
            OutputStream out = socket.getOutputStream();
            out.write(head("POST /api/v1/luns", AUTHORIZATION, header));
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

    /** Bytes that go on coming do not help a head, and the ones who send theirs at once are answered meanwhile. */
    @Test
    void closesConnectionsWhoseHeadOrBodyComesTooSlowly() throws Exception {
        List<Socket> heads = new ArrayList<>();
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                Socket body = connect(live);
                Io io = new Io()) {
            long before = memory();
            Io.Mark mark = io.mark();
            for (int i = 0; i < SLOW_HEADS; i++) {
                heads.add(connect(live));
                heads.getLast().getOutputStream().write(head("GET /metrics"), 0, 40);
            }
            body.getOutputStream().write(head("POST /api/v1/luns", AUTHORIZATION, "Content-Length: 100"));
            body.getOutputStream().write('{');

            int answered = 0;
            while (!dripped(heads).isEmpty()) {
                assertThat(live.send("GET", "/readyz", null).statusCode()).isEqualTo(200);
                answered++;
                assertThat(mark.age()).isLessThan(SLOWEST);
            }
            assertThat(mark.age()).isGreaterThan(FASTEST);
            assertThat(answered).isGreaterThan(10);
            assertThat(new String(body.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 408");
            assertThat(mark.age()).isBetween(FASTEST, SLOWEST);
            assertThat(memory() - before).isLessThan(MEMORY);
            io.assertWentOn(mark);
        } finally {
            close(heads);
        }
    }

    @Test
    void clientsThatGoAwayOrSpeakNoHttpAreNoNews() throws Exception {
        byte[] change = "{\"store\":\"file:/nowhere/at/all:1MiB\"}".getBytes(StandardCharsets.US_ASCII);
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            for (byte[] said : List.of(
                    "GET /metr".getBytes(StandardCharsets.US_ASCII),
                    head("GET /metrics"),
                    head("GET /events"),
                    head("POST /api/v1/luns", AUTHORIZATION, "Content-Length: 100"),
                    concat(head("POST /api/v1/luns", AUTHORIZATION, "Content-Length: " + change.length), change))) {
                for (boolean abruptly : new boolean[] {true, false}) {
                    try (Socket socket = connect(live)) {
                        socket.getOutputStream().write(said);
                        if (abruptly) {
                            socket.setSoLinger(true, 0);
                        }
                    }
                }
            }
            try (Socket socket = connect(live)) {
                socket.getOutputStream()
                        .write("\u0016\u0003\u0001 no HTTP\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(answer(socket)).startsWith("HTTP/1.1 400");
            }
            // One change after the other: this one comes last.
            assertThat(live.send("POST", "/api/v1/reload", LiveService.TOKEN).statusCode())
                    .isEqualTo(200);
        }
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Sends one more byte over each; those that are still open. */
    private static List<Socket> dripped(List<Socket> sockets) {
        return sockets.stream()
                .filter(socket -> {
                    try {
                        socket.getOutputStream().write('x');
                        return isOpen(socket);
                    } catch (IOException e) {
                        return false;
                    }
                })
                .toList();
    }

    @Test
    void aThousandConnectionsTakeEachOthersPlaces() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                Io io = new Io()) {
            long before = memory();
            Io.Mark mark = io.mark();
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
            io.assertWentOn(mark);
        } finally {
            close(sockets);
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
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
        // Netty's own, which those do not count.
        long netty = Math.max(0, PlatformDependent.usedDirectMemory());
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + direct + netty;
    }

    /** An initiator that writes and reads back all the time. */
    private static final class Io implements AutoCloseable {
        /** Longer is as good as no service, and shorter than any initiator gives up after. */
        private static final Duration LONGEST_ROUND = Duration.ofSeconds(5);

        private static final int ROUNDS = 20;

        private final InitiatorHost host = LiveService.initiator(INITIATOR);
        private final BlockingSrpClient session;
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final Thread thread = Thread.ofPlatform().unstarted(this::run);
        private volatile int rounds;
        private volatile long longestNanos;

        /** A moment. */
        record Mark(int rounds, long nanoTime) {
            Duration age() {
                return Duration.ofNanos(System.nanoTime() - nanoTime);
            }
        }

        Io() throws Exception {
            session = LiveService.login(host, ADDRESS);
            thread.start();
        }

        private void run() {
            byte[] data = new byte[4096];
            try {
                while (!stop.get()) {
                    long start = System.nanoTime();
                    data[0]++;
                    session.write(0, rounds % 256 * 8L, data, 512);
                    if (session.read(0, rounds % 256 * 8L, 8, 512)[0] != data[0]) {
                        throw new AssertionError("other data came back");
                    }
                    longestNanos = Math.max(longestNanos, System.nanoTime() - start);
                    rounds++;
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        }

        Mark mark() {
            longestNanos = 0;
            return new Mark(rounds, System.nanoTime());
        }

        /** It has since {@code mark}, it has not stood still, nothing has failed, and it still does. */
        void assertWentOn(Mark mark) {
            int now = Math.max(rounds, mark.rounds() + ROUNDS);
            while (rounds < now + ROUNDS && failure.get() == null && mark.age().compareTo(SLOWEST) < 0) {
                Thread.onSpinWait();
            }
            assertThat(failure.get()).isNull();
            assertThat(rounds).isGreaterThanOrEqualTo(now + ROUNDS);
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
