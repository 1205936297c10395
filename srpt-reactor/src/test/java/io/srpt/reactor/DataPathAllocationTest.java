package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpBench;
import io.srpt.initiator.SrpBenchResult;
import io.srpt.initiator.SrpWorkload;
import io.srpt.roce.net.FaultSpec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads and writes go through the target's loop, from datagram to datagram, without an allocation. */
@Timeout(60)
class DataPathAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int DEPTH = 16;
    private static final long WAIT_SECONDS = 30;
    private static final Duration ROUND = Duration.ofSeconds(1);

    /** Until then the compilers have proved what does not escape and so is not allocated. */
    private static final int ROUNDS = 15;

    @ParameterizedTest(name = "{0} % reads of {1} bytes")
    @CsvSource({"100, 4096, 1", "0, 4096, 2", "50, 65536, 3"})
    void allocatesNothingPerCommand(int readPercent, int transferLength, int number) throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
        try (LiveTarget live = new LiveTarget(20 + number, runtime, Duration.ofSeconds(10), FaultSpec.NONE);
                BlockingSrpClient client = live.login()) {
            client.testUnitReady(0);
            long loopThread =
                    LiveTarget.onLoop(live.loop(), () -> Thread.currentThread().threadId());
            SrpWorkload workload = new SrpWorkload(
                    0,
                    client.capacity(0).blocks(),
                    LiveTarget.BLOCK,
                    transferLength,
                    DEPTH,
                    readPercent,
                    true,
                    0,
                    ROUND.toNanos(),
                    1);
            double each = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && each >= 1; round++) {
                each = bytesPerCommand(client, workload, loopThread);
            }
            assertThat(each).isLessThan(1);
        }
    }

    private static double bytesPerCommand(BlockingSrpClient client, SrpWorkload workload, long loopThread)
            throws Exception {
        CompletableFuture<SrpBenchResult> done = new CompletableFuture<>();
        long before = THREADS.getThreadAllocatedBytes(loopThread);
        client.session()
                .loop()
                .execute(() -> new SrpBench(client.session(), workload, (nanos, read) -> {}, done::complete).start());
        SrpBenchResult result = done.get(WAIT_SECONDS, TimeUnit.SECONDS);
        long bytes = THREADS.getThreadAllocatedBytes(loopThread) - before;
        assertThat(result.errors()).isZero();
        long commands = result.reads() + result.writes();
        assertThat(commands).isGreaterThan(200);
        System.out.printf(
                "%d %% reads of %d bytes: %d commands, %.3f bytes allocated for each%n",
                workload.readPercent(), workload.transferLength(), commands, (double) bytes / commands);
        return (double) bytes / commands;
    }
}
