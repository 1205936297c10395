package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.reactor.event.LoopStalled;
import io.srpt.roce.net.FaultSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FlightRecorderTest {
    private static final List<String> EVENTS = List.of(
            "io.srpt.Login", "io.srpt.Logout", "io.srpt.ChannelState", "io.srpt.SlowCommand", "io.srpt.LoopStall");

    @TempDir
    private Path directory;

    @Test
    void loginStatesSlowCommandStallAndLogoutAreRecorded() throws Exception {
        Path file = directory.resolve("target.jfr");
        try (Recording recording = new Recording()) {
            EVENTS.forEach(recording::enable);
            recording.start();
            runTarget();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events.stream().map(each -> each.getEventType().getName()).distinct())
                .containsExactlyInAnyOrderElementsOf(EVENTS);
        RecordedEvent login = first(events, "io.srpt.Login");
        assertThat(login.getString("result")).isEqualTo("ACCEPTED");
        assertThat(login.getString("port")).isEqualTo("target/1");
        assertThat(first(events, "io.srpt.SlowCommand").getLong("time")).isPositive();
        assertThat(events).anyMatch(FlightRecorderTest::isOurStall);
        assertThat(first(events, "io.srpt.Logout").getLong("channel")).isEqualTo(login.getLong("channel"));
        assertThat(first(events, "io.srpt.ChannelState").getString("to")).isEqualTo("LIVE");
    }

    private static void runTarget() throws Exception {
        SrptTargetRuntime runtime =
                SrptTargetRuntime.builder().slowCommand(Duration.ofNanos(1)).build();
        try (LiveTarget live = new LiveTarget(9, runtime, Duration.ofMillis(50), FaultSpec.NONE)) {
            try (BlockingSrpClient client = live.login()) {
                client.testUnitReady(0);
            }
            CompletableFuture<LoopStalled> stall = runtime.streams()
                    .stallEvents()
                    .ofType(LoopStalled.class)
                    .filter(each -> !each.over() && each.handler().contains("FlightRecorderTest"))
                    .next()
                    .toFuture();
            CountDownLatch reported = new CountDownLatch(1);
            CompletableFuture<Boolean> hung = CompletableFuture.supplyAsync(() -> await(reported), live.loop());
            assertThat(stall.get(20, TimeUnit.SECONDS).handler()).contains("task");
            reported.countDown();
            assertThat(hung.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean isOurStall(RecordedEvent event) {
        return event.getEventType().getName().equals("io.srpt.LoopStall")
                && event.getString("handler").contains("FlightRecorderTest");
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RecordedEvent first(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(each -> each.getEventType().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
