package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.reactor.event.CommandEvent;
import io.srpt.roce.net.FaultSpec;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.blockhound.BlockHound;

/** No loop of a target makes a blocking call, with observers and handlers on every stream. */
@Timeout(60)
class NoBlockingTest {
    private static final Queue<String> BLOCKED = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void install() {
        BlockHound.builder()
                .nonBlockingThreadPredicate(
                        others -> others.or(thread -> thread.getName().startsWith(LiveTarget.LOOPS)
                                && !thread.getName().contains("watchdog")))
                .blockingMethodCallback(method -> {
                    StringBuilder call = new StringBuilder(method.toString());
                    for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
                        call.append("\n    at ").append(frame);
                    }
                    BLOCKED.add(call.toString());
                })
                .install();
    }

    @Test
    void loopsNeverBlock() throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder()
                .slowCommand(Duration.ofNanos(1))
                .observerBuffer(16)
                .build();
        CompletableFuture<List<CommandEvent>> commands;
        try (LiveTarget live = new LiveTarget(7, runtime, Duration.ofMillis(500), FaultSpec.NONE)) {
            // What opens a device may read random numbers from the system.
            BLOCKED.clear();
            commands = runtime.streams().commandCompletions().collectList().toFuture();
            runtime.streams().allEvents().subscribe();
            for (int round = 0; round < 3; round++) {
                assertThat(live.discover()).hasSize(1);
                try (BlockingSrpClient client = live.login()) {
                    for (int i = 0; i < 100; i++) {
                        client.write(0, i, new byte[16 * LiveTarget.BLOCK], LiveTarget.BLOCK);
                        client.read(0, i, 16, LiveTarget.BLOCK);
                    }
                    client.resetLun(0);
                }
            }
        }
        assertThat(commands.get(20, TimeUnit.SECONDS)).isNotEmpty();
        assertThat(BLOCKED).isEmpty();
    }

    /** Else the other test would show nothing. */
    @Test
    void callThatBlocksIsNoticed() throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
        try (LiveTarget live = new LiveTarget(8, runtime, Duration.ZERO, FaultSpec.NONE)) {
            BLOCKED.clear();
            CountDownLatch never = new CountDownLatch(1);
            LiveTarget.onLoop(live.loop(), () -> never.await(1, TimeUnit.MILLISECONDS));
            assertThat(BLOCKED).anyMatch(call -> call.contains("park"));
            BLOCKED.clear();
        }
    }
}
