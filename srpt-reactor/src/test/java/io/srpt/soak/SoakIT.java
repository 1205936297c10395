package io.srpt.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two initiators come, move data and go for 2 minutes ({@code srpt.test.profile=soak}: 30 minutes) while the target is
 * scraped each second. What it holds in the last third of the run must be what it held in the middle third, and at the
 * end all that the initiators made it take is given back.
 *
 * <p>The target's heap has a fixed size, all of it resident from the start, so that resident memory tells of everything
 * that is not heap. What stays alive on the heap shows as its floor.
 *
 * <p>System property {@code srpt.soak.leak}, {@code connections}, makes the test itself hold on to more and more HTTP
 * connections: then it must fail.
 */
class SoakIT {
    private static final boolean LONG = TestProfile.isSoak();
    private static final int SECONDS = LONG ? 30 * 60 : 120;
    private static final double MEMORY_BAND = LONG ? 0.02 : 0.10;
    private static final double COUNT_BAND = LONG ? 0.02 : 0;
    private static final int WARM_UP_VISITS = 50;
    private static final double FLOOR_BAND = 0.5;
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final List<String> IDLE = List.of(
            "srpt_channels{",
            "srpt_sessions{",
            "srpt_queue_pairs",
            "srpt_memory_regions",
            "srpt_registered_memory_bytes",
            "srpt_address_handles",
            "srpt_buffers{pool=\"mad\",state=\"used\"}",
            "srpt_buffers{pool=\"data\",state=\"used\"}");

    private final AtomicLong visits = new AtomicLong();
    private final AtomicBoolean ended = new AtomicBoolean();

    @TempDir
    private Path directory;

    private @Nullable Process started;

    @AfterEach
    void endTarget() {
        if (started != null) {
            started.destroyForcibly();
        }
    }

    private Process startTarget(InetAddress address, URI metrics) throws IOException {
        List<String> command = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xms96m",
                "-Xmx96m",
                "-XX:+AlwaysPreTouch",
                "-XX:+ExitOnOutOfMemoryError",
                "-jar",
                Objects.requireNonNull(System.getProperty("srpt.jar"), "srpt.jar"),
                "serve",
                "--listen",
                address.getHostAddress(),
                "--http",
                metrics.getAuthority(),
                "--lun",
                "memory:64MiB",
                "--state-dir",
                directory.resolve("state").toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process target = builder.start();
        started = target;
        assertThat(becomes(() -> log().contains("ioc_guid=") || !target.isAlive()) && target.isAlive())
                .as(log())
                .isTrue();
        return target;
    }

    @Test
    void holdsNoMoreInTheLastThirdThanInTheMiddleAndGivesAllBack() throws Exception {
        InetAddress address = local(1);
        URI metrics = URI.create("http://" + address.getHostAddress() + ":" + freePort(address) + "/metrics");
        Process target = startTarget(address, metrics);
        try (TargetProbe probe = new TargetProbe(target.pid(), metrics);
                SoakInitiator first = new SoakInitiator(local(2), address, 0, 1);
                SoakInitiator second = new SoakInitiator(local(3), address, 1, 1)) {
            warmUp(List.of(first, second));
            Map<String, Double> idle = idle(probe);

            run(target, probe, Leak.of(System.getProperty("srpt.soak.leak", ""), metrics), List.of(first, second));

            boolean gaveBack = becomes(() -> idle(probe).equals(idle));
            Map<String, Double> after = idle(probe);
            List<Trend> trends = probe.trends(MEMORY_BAND, COUNT_BAND, FLOOR_BAND);
            report(probe, trends, idle, after);
            assertThat(trends).allMatch(Trend::holds);
            assertThat(gaveBack).as("idle: %s, at the end: %s", idle, after).isTrue();
        }
        target.destroy();
        assertThat(target.waitFor(30, TimeUnit.SECONDS)).as("ends at SIGTERM").isTrue();
        assertThat(target.exitValue()).as(log()).isZero();
    }

    private void run(Process target, TargetProbe probe, Leak leak, List<SoakInitiator> initiators) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool();
                leak) {
            List<Future<Void>> running = new ArrayList<>();
            for (SoakInitiator initiator : initiators) {
                running.add(threads.submit(visits(initiator)));
            }
            try {
                long start = System.nanoTime();
                for (int second = 1; second <= SECONDS; second++) {
                    assertThat(target.isAlive())
                            .as("the target lives: %s", log())
                            .isTrue();
                    probe.sample();
                    leak.more();
                    sleepUntil(start + TimeUnit.SECONDS.toNanos(second));
                }
            } finally {
                ended.set(true);
            }
            for (Future<Void> each : running) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
    }

    /** Visits at the same time, after which the target's pools, which keep what they once took, are as large as needed. */
    private static void warmUp(List<SoakInitiator> initiators) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Void>> running = new ArrayList<>();
            for (SoakInitiator initiator : initiators) {
                running.add(threads.submit(() -> {
                    for (int visit = 0; visit < WARM_UP_VISITS; visit++) {
                        initiator.visit();
                    }
                    return null;
                }));
            }
            for (Future<Void> each : running) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
    }

    private Callable<Void> visits(SoakInitiator initiator) {
        return () -> {
            while (!ended.get()) {
                initiator.visit();
                visits.incrementAndGet();
            }
            return null;
        };
    }

    private void report(TargetProbe probe, List<Trend> trends, Map<String, Double> idle, Map<String, Double> after) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                "Soak: %d s, %d visits, %d samples%n%-22s %14s %14s%n",
                SECONDS, visits.get(), probe.samples(), "", "middle third", "last third"));
        trends.forEach(trend -> text.append(trend.line()).append(System.lineSeparator()));
        after.forEach((name, value) ->
                text.append(String.format("%-40s idle %s, at the end %.0f%n", name, idle.get(name), value)));
        System.out.print(text);
    }

    private static Map<String, Double> idle(TargetProbe probe) {
        try {
            return probe.scrape().sums(IDLE);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean becomes(BooleanSupplier condition) {
        long deadline = System.nanoTime() + IDLE_LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    private static void sleepUntil(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, address)) {
            return free.getLocalPort();
        }
    }

    /** A loopback address that is this process's own: all want UDP port 4791. */
    private static InetAddress local(int index) throws IOException {
        long pid = ProcessHandle.current().pid();
        return InetAddress.getByAddress(
                new byte[] {127, (byte) (100 + (pid >> 16 & 0x3)), (byte) (pid >> 8), (byte) (pid % 80 * 3 + index)});
    }
}
