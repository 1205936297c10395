package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.mad.MadSendCompletion;
import io.srpt.reactor.event.ChannelEvent;
import io.srpt.reactor.event.ChannelReleased;
import io.srpt.reactor.event.ChannelStateChanged;
import io.srpt.reactor.event.CommandCompleted;
import io.srpt.reactor.event.CommandEvent;
import io.srpt.reactor.event.ConnectionIncident;
import io.srpt.reactor.event.EventsMissed;
import io.srpt.reactor.event.LoginAccepted;
import io.srpt.reactor.event.MadArrived;
import io.srpt.reactor.event.MadEvent;
import io.srpt.reactor.event.MadSent;
import io.srpt.reactor.event.StallEvent;
import io.srpt.reactor.event.TaskManagementDone;
import io.srpt.reactor.event.TransportIncident;
import io.srpt.roce.net.FaultSpec;
import io.srpt.target.ChannelState;
import io.srpt.target.ConnectionEvent;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** What a real target over real sockets publishes, and that observers cost it nothing. */
@Timeout(60)
class TargetStreamsTest {
    private static final int COMMANDS_UNTIL_SEEN = 10_000;
    private static final Duration STALL = Duration.ofMillis(500);
    private static final long WAIT_SECONDS = 20;
    private static final int TEST_UNIT_READY = 0x00;
    private static final int READ_16 = 0x88;
    private static final int WRITE_16 = 0x8A;

    private static <T> CompletableFuture<List<T>> collect(Flux<T> flux) {
        return flux.collectList().toFuture();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void sessionShowsOnEveryStream() throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
        CompletableFuture<List<ChannelEvent>> channels;
        CompletableFuture<List<CommandEvent>> commands;
        CompletableFuture<List<MadEvent>> mads;
        CompletableFuture<LoginAccepted> login;
        CompletableFuture<TaskManagementDone> reset;
        MadPortStreams port;
        try (LiveTarget live = new LiveTarget(1, runtime, STALL, FaultSpec.NONE)) {
            port = runtime.madPorts().getFirst();
            SrptStreams streams = runtime.streams(live.portName());
            channels = collect(streams.channelEvents());
            commands = collect(runtime.streams().commandCompletions());
            mads = collect(streams.madEvents());
            login = streams.loginEvents().ofType(LoginAccepted.class).next().toFuture();
            reset = streams.taskManagementEvents()
                    .ofType(TaskManagementDone.class)
                    .next()
                    .toFuture();
            assertThat(live.discover()).hasSize(1);
            try (BlockingSrpClient client = live.login()) {
                client.testUnitReady(0);
                client.write(0, 8, new byte[4 * LiveTarget.BLOCK], LiveTarget.BLOCK);
                client.read(0, 8, 2, LiveTarget.BLOCK);
                assertThat(client.executeRead(0, new byte[] {(byte) 0xFF, 0, 0, 0, 0, 0}, 0)
                                .get()
                                .status())
                        .isEqualTo(2);
                client.resetLun(0);
            }
        }
        assertThat(get(login).channel().port()).isEqualTo("target/1");
        assertThat(get(reset).function()).isEqualTo(8);
        assertThat(get(reset).response()).isZero();
        assertThat(get(channels).stream()
                        .filter(ChannelStateChanged.class::isInstance)
                        .map(each -> ((ChannelStateChanged) each).channel().state()))
                .containsExactly(
                        ChannelState.LIVE,
                        ChannelState.DISCONNECTING,
                        ChannelState.DRAINING,
                        ChannelState.DISCONNECTED);
        assertThat(get(channels)).last().isInstanceOf(ChannelReleased.class);
        assertThat(get(channels).stream()
                        .filter(ConnectionIncident.class::isInstance)
                        .map(each -> ((ConnectionIncident) each).event()))
                .contains(ConnectionEvent.ESTABLISHED);
        checkCommands(get(commands).stream().map(CommandCompleted.class::cast).toList());
        assertThat(get(mads)).hasAtLeastOneElementOfType(MadArrived.class).anySatisfy(each -> {
            assertThat(each).isInstanceOf(MadSent.class);
            MadSent sent = (MadSent) each;
            assertThat(sent.status()).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(sent.managementClass()).isEqualTo(6);
        });
        assertThat(port.completions(WorkCompletionStatus.SUCCESS).get()).isPositive();
        assertThat(port.sendFallbackReleases().get()
                        + port.receiveFallbackReleases().get())
                .isZero();
        assertThat(port.service().counters().staleSendReleases.get()).isZero();
    }

    private static void checkCommands(List<CommandCompleted> commands) {
        CommandCompleted ready = only(commands, TEST_UNIT_READY);
        assertThat(ready.status()).isZero();
        assertThat(ready.bytes()).isZero();
        CommandCompleted write = only(commands, WRITE_16);
        assertThat(write.bytes()).isEqualTo(4 * LiveTarget.BLOCK);
        assertThat(write.lun()).isZero();
        assertThat(write.nanos()).isPositive();
        CommandCompleted read = only(commands, READ_16);
        assertThat(read.bytes()).isEqualTo(2 * LiveTarget.BLOCK);
        CommandCompleted unknown = only(commands, 0xFF);
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.senseKey()).isEqualTo(5);
        assertThat(unknown.senseCode()).isEqualTo(0x2000);
    }

    private static CommandCompleted only(List<CommandCompleted> commands, int operationCode) {
        return commands.stream()
                .filter(each -> each.operationCode() == operationCode && each.status() >= 0)
                .reduce((first, last) -> last)
                .orElseThrow(() -> new AssertionError(operationCode + " is not in " + commands));
    }

    @Test
    void observerThatNeverRequestsMissesEventsAndDisturbsNobody() throws Exception {
        int reads = 2000;
        int buffer = 64;
        SrptTargetRuntime runtime =
                SrptTargetRuntime.builder().observerBuffer(buffer).build();
        CompletableFuture<List<CommandEvent>> first;
        CompletableFuture<List<CommandEvent>> second;
        CompletableFuture<List<StallEvent>> stalls;
        CompletableFuture<Long> third = new CompletableFuture<>();
        BaseSubscriber<CommandEvent> never = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Never requests.
            }

            @Override
            protected void hookOnNext(CommandEvent event) {
                third.completeExceptionally(new AssertionError("not requested"));
            }
        };
        try (LiveTarget live = new LiveTarget(2, runtime, STALL, FaultSpec.NONE)) {
            first = collect(runtime.streams().commandCompletions());
            second = collect(runtime.streams().commandCompletions());
            runtime.streams().commandCompletions().subscribe(never);
            stalls = collect(runtime.streams().stallEvents());
            assertThat(runtime.eventStreams().observers(EventKind.COMMAND)).isEqualTo(3);
            try (BlockingSrpClient client = live.login()) {
                for (int i = 0; i < reads; i++) {
                    client.read(0, i, 1, LiveTarget.BLOCK);
                }
            }
        }
        long all = seenOrMissed(get(first));
        assertThat(all).isGreaterThanOrEqualTo(reads);
        assertThat(seenOrMissed(get(second))).isEqualTo(all);
        assertThat(runtime.eventStreams().missed(EventKind.COMMAND))
                .isEqualTo(all - buffer + missed(get(first)) + missed(get(second)));
        assertThat(get(stalls)).isEmpty();
        assertThat(third).isNotDone();
    }

    private static long missed(List<CommandEvent> events) {
        return events.stream()
                .filter(EventsMissed.class::isInstance)
                .mapToLong(each -> ((EventsMissed) each).count())
                .sum();
    }

    private static long seenOrMissed(List<CommandEvent> events) {
        return missed(events)
                + events.stream().filter(CommandCompleted.class::isInstance).count();
    }

    @Test
    void anObserverOfCommandsIsThereOnlyWhileItObserves() throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
        try (LiveTarget live = new LiveTarget(3, runtime, STALL, FaultSpec.NONE);
                BlockingSrpClient client = live.login()) {
            client.testUnitReady(0);
            assertThat(runtime.eventStreams().observers(EventKind.COMMAND)).isZero();
            CompletableFuture<CommandEvent> seen =
                    runtime.streams().commandCompletions().next().toFuture();
            // The loop takes the subscription between two turns: the first commands may come before it.
            for (int i = 0; i < COMMANDS_UNTIL_SEEN && !seen.isDone(); i++) {
                client.testUnitReady(0);
            }
            assertThat(get(seen)).isInstanceOf(CommandCompleted.class);
            assertThat(runtime.eventStreams().observers(EventKind.COMMAND)).isZero();
        }
    }

    @Test
    void lostDatagramsShowAsTransportEvents() throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
        FaultSpec lossy = new FaultSpec(7, 0.05, 0, 0, Duration.ZERO);
        try (LiveTarget live = new LiveTarget(4, runtime, STALL, lossy)) {
            CompletableFuture<TransportIncident> lost = runtime.streams(live.portName())
                    .transportEvents()
                    .ofType(TransportIncident.class)
                    .filter(each -> each.kind() == TransportEventListener.Kind.RETRANSMISSION)
                    .next()
                    .toFuture();
            try (BlockingSrpClient client = live.login()) {
                for (int i = 0; i < 500 && !lost.isDone(); i++) {
                    client.read(0, i, 8, LiveTarget.BLOCK);
                }
            }
            assertThat(get(lost).port()).isEqualTo(live.portName());
            assertThat(get(lost).queuePair()).isPositive();
        }
    }

    @Test
    void handlersThatThrowAreCountedAndLoseNothing() throws Exception {
        AtomicInteger sends = new AtomicInteger();
        AtomicInteger receives = new AtomicInteger();
        SrptTargetRuntime runtime = SrptTargetRuntime.builder()
                .madSendHandler((agent, completion) -> {
                    if (sends.incrementAndGet() % 2 == 0) {
                        completion.release();
                    }
                    throw new IllegalStateException("send handler of the test");
                })
                .madReceiveHandler(house -> (agent, mad) -> {
                    if (receives.incrementAndGet() == 1) {
                        throw new IllegalStateException("receive handler of the test");
                    }
                    house.onReceive(agent, mad);
                })
                .connectionHandler(event -> {
                    throw new IllegalStateException("connection handler of the test");
                })
                .build();
        CompletableFuture<List<ChannelEvent>> channels;
        MadPortStreams port;
        try (LiveTarget live = new LiveTarget(5, runtime, STALL, FaultSpec.NONE)) {
            port = runtime.madPorts().getFirst();
            channels = collect(runtime.streams().channelEvents());
            assertThat(live.discover()).hasSize(1);
            try (BlockingSrpClient client = live.login()) {
                client.testUnitReady(0);
            }
        }
        get(channels);
        HandlerErrors errors = runtime.handlerErrors();
        assertThat(errors.count(HandlerErrors.Handler.MAD_SEND))
                .isEqualTo(sends.get())
                .isPositive();
        assertThat(errors.count(HandlerErrors.Handler.MAD_RECEIVE)).isEqualTo(1);
        assertThat(port.service().counters().addressHandles.get()).isZero();
    }

    @Test
    void userOwnsTheCompletionsFromSubscriptionToCancellation() throws Exception {
        SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
        try (LiveTarget live = new LiveTarget(6, runtime, STALL, FaultSpec.NONE)) {
            CompletableFuture<List<MadSendCompletion>> taken = runtime.streams()
                    .madSendCompletions()
                    .doOnNext(MadSendCompletion::release)
                    .take(2)
                    .collectList()
                    .toFuture();
            assertThat(live.discover()).hasSize(1);
            assertThat(get(taken)).hasSize(2);
            assertThat(live.discover()).hasSize(1);
            MadPortStreams port = runtime.madPorts().getFirst();
            assertThat(LiveTarget.onLoop(
                            live.loop(),
                            () -> port.service().counters().addressHandles.get()))
                    .isZero();
            assertThat(port.service().counters().staleSendReleases.get()).isZero();
        }
    }
}
