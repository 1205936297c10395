package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualLoop;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadReceiveHandler;
import io.srpt.mad.MadSendCompletion;
import io.srpt.mad.MadService;
import io.srpt.mad.dm.DeviceManagement;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.StepVerifier;

/** Owners of management datagrams, one rule at a time. */
class OwningStreamTest {
    private static final int BUFFERS = 8;
    private static final long GUID = 0x42;

    private final VirtualLoop loop = VirtualLoop.create("port");
    private final FakeMadTransport transport = new FakeMadTransport(BUFFERS);
    private final MadService service = new MadService("test/1", loop, transport);
    private final SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
    private DeviceManagementAgent deviceManagement;
    private MadAgent sender;
    private MadPortStreams port;

    @BeforeEach
    void start() throws VerbsException {
        service.start();
        deviceManagement = new DeviceManagementAgent(
                service, IoControllerDescription.of(GUID, new DeviceAttributes(GUID, 0, 0, 0, 1, 1, 1, 1, 15)));
        runtime.addMads(service, deviceManagement);
        sender = service.register(0x32, 1, MadReceiveHandler.IGNORE);
        port = runtime.madPorts().getFirst();
    }

    @AfterEach
    void nothingIsHeld() {
        service.close();
        assertThat(transport.pool().inUse().get()).isZero();
        assertThat(transport.openHandles).isZero();
        assertThat(transport.doubleCloses).isZero();
    }

    private boolean request() {
        return transport.receive(
                DeviceManagement.CLASS,
                DeviceManagement.CLASS_VERSION,
                MadHeader.METHOD_GET,
                DeviceManagement.ATTRIBUTE_IO_UNIT_INFO,
                7);
    }

    private boolean send() {
        MadBuffer buffer = sender.allocate();
        if (buffer == null) {
            return false;
        }
        sender.send(buffer, MadAddress.generalServices(0, FakeMadTransport.PEER));
        return transport.completeNext(WorkCompletionStatus.SUCCESS);
    }

    @Test
    void houseAnswersAndReleasesWhileNobodyHasSubscribed() {
        for (int i = 0; i < 100; i++) {
            assertThat(request()).isTrue();
            assertThat(transport.completeNext(WorkCompletionStatus.SUCCESS)).isTrue();
        }
        assertThat(deviceManagement.requests().get()).isEqualTo(100);
        assertThat(port.completions(WorkCompletionStatus.SUCCESS).get()).isEqualTo(100);
        assertThat(transport.pool().inUse().get()).isZero();
        assertThat(port.sendFallbackReleases().get()
                        + port.receiveFallbackReleases().get())
                .isZero();
    }

    @Test
    void ownerThatDoesNotRequestShowsAsAnEmptyPoolAndLosesNothing() {
        List<MadSendCompletion> got = new ArrayList<>();
        BaseSubscriber<MadSendCompletion> slow = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Requests nothing yet.
            }

            @Override
            protected void hookOnNext(MadSendCompletion completion) {
                got.add(completion);
                completion.release();
            }
        };
        runtime.streams("test/1").madSendCompletions().subscribe(slow);
        for (int i = 0; i < BUFFERS; i++) {
            assertThat(send()).isTrue();
        }
        assertThat(send()).isFalse();
        assertThat(request()).isFalse();
        assertThat(transport.pool().exhausted().get()).isEqualTo(2);
        slow.request(3);
        assertThat(got).hasSize(3);
        assertThat(send()).isTrue();
        slow.request(Long.MAX_VALUE);
        assertThat(got).hasSize(BUFFERS + 1);
        assertThat(got.stream().map(MadSendCompletion::token)).doesNotHaveDuplicates();
        assertThat(transport.pool().inUse().get()).isZero();
    }

    @Test
    void secondOwnerIsRefusedUntilTheFirstCancels() {
        var completions = runtime.streams().madSendCompletions();
        var first = completions.subscribe(MadSendCompletion::release);
        StepVerifier.create(port.sendCompletions()).verifyError(IllegalStateException.class);
        first.dispose();
        StepVerifier.create(port.sendCompletions().doOnNext(MadSendCompletion::release))
                .then(this::send)
                .expectNextCount(1)
                .thenCancel()
                .verify();
    }

    @Test
    void whatAnOwnerLeavesInTheQueueGoesToTheHouse() {
        var idle = port.receives().subscribeWith(new BaseSubscriber<MadReceived>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Requests nothing.
            }
        });
        request();
        request();
        assertThat(deviceManagement.requests().get()).isZero();
        idle.cancel();
        assertThat(deviceManagement.requests().get()).isEqualTo(2);
        assertThat(transport.posted()).isEqualTo(2);
        assertThat(port.receiveFallbackReleases().get()).isZero();
    }

    @Test
    void datagramsOfAnAgentThatClosesAreReleasedAndNotDelivered() {
        List<MadReceived> got = new ArrayList<>();
        BaseSubscriber<MadReceived> idle = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Requests nothing yet.
            }

            @Override
            protected void hookOnNext(MadReceived received) {
                got.add(received);
            }
        };
        port.receives().subscribe(idle);
        request();
        deviceManagement.close();
        assertThat(transport.pool().inUse().get()).isZero();
        idle.request(1);
        assertThat(got).isEmpty();
    }

    @Test
    void releaseFromAnotherThreadHappensOnTheLoop() {
        List<MadSendCompletion> got = new ArrayList<>();
        var owner = port.sendCompletions().subscribe(got::add);
        send();
        CompletableFuture.runAsync(got.getFirst()::release).join();
        assertThat(transport.pool().inUse().get()).isEqualTo(1);
        loop.runUntilIdle();
        assertThat(transport.pool().inUse().get()).isZero();
        assertThat(got.getFirst().release()).isFalse();
        assertThat(service.counters().staleSendReleases.get()).isEqualTo(1);
        owner.dispose();
    }

    @Test
    void streamCompletesWhenThePortCloses() {
        StepVerifier.create(runtime.streams("test/1").madSendCompletions())
                .then(this::send)
                .expectNextCount(1)
                .then(service::close)
                .verifyComplete();
        assertThat(port.sendFallbackReleases().get()).isEqualTo(1);
    }

    @Test
    void closedRuntimeGivesThePortBackToTheHandlersBefore() {
        runtime.close();
        loop.runUntilIdle();
        assertThat(request()).isTrue();
        assertThat(transport.completeNext(WorkCompletionStatus.SUCCESS)).isTrue();
        assertThat(deviceManagement.requests().get()).isEqualTo(1);
        assertThat(port.completions(WorkCompletionStatus.SUCCESS).get()).isZero();
        assertThat(transport.pool().inUse().get()).isZero();
    }
}
