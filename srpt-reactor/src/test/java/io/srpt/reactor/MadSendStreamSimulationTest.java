package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.loop.VirtualClock;
import io.srpt.loop.VirtualLoop;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadReceiveHandler;
import io.srpt.mad.MadSendCompletion;
import io.srpt.mad.MadSendHandler;
import io.srpt.mad.MadService;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * Sends with random outcomes, agents that close under them, and owners that are slow, cancel, throw, never request or are
 * none: each send is delivered at most once, in the order of its completion, and released exactly once.
 */
class MadSendStreamSimulationTest {
    private static final int SENDS = TestProfile.count(1_000_000, 5_000_000);
    private static final int BUFFERS = 64;
    private static final int CLASS = 0x32;
    private static final long MILLI = 1_000_000;
    private static final WorkCompletionStatus[] STATUSES = {
        WorkCompletionStatus.SUCCESS,
        WorkCompletionStatus.SUCCESS,
        WorkCompletionStatus.SUCCESS,
        WorkCompletionStatus.WORK_REQUEST_FLUSHED,
        WorkCompletionStatus.GENERAL_ERROR,
        WorkCompletionStatus.RETRY_EXCEEDED
    };

    private final VirtualClock clock = new VirtualClock();
    private final VirtualLoop loop = clock.newLoop("port");
    private final FakeMadTransport transport = new FakeMadTransport(BUFFERS);
    private final MadService service = new MadService("test/1", loop, transport);
    private final HandlerErrors errors = new HandlerErrors();
    private final EventStreams events = new EventStreams(16, Runnable::run, errors);
    private final long[] endOrder = new long[BUFFERS];

    private Random random = new Random();
    private long ended;
    private long lastDelivered;
    private long delivered;
    private long expectedStale;
    private long thrown;
    private boolean hasResident;
    private @Nullable Object lastOwner;
    private @Nullable Owner owner;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachSendIsReleasedExactlyOnceWhateverItsOwnerDoes(boolean withResident) throws VerbsException {
        long seed = ThreadLocalRandom.current().nextLong();
        random = new Random(seed);
        hasResident = withResident;
        service.start();
        MadSendSubscriber resident = new MadSendSubscriber(this::handle, errors);
        MadPortStreams streams = new MadPortStreams(service, events.of(EventKind.MAD), resident, errors);
        if (!withResident) {
            ((OwningStream<MadSendCompletion>) streams.sendCompletions()).resident(null);
        }
        recordOrder();
        MadAgent agent = register();
        int sent = 0;
        while (sent < SENDS) {
            if (random.nextInt(2000) == 0) {
                agent.close();
                agent = register();
            }
            sent += send(agent, random.nextInt(12));
            complete(random.nextInt(12));
            if (random.nextInt(8) == 0) {
                clock.advance(random.nextInt(4) * MILLI);
            }
            stepOwner(streams);
        }
        if (owner != null) {
            owner.leave();
        }
        service.close();
        assertThat(ended).as("seed %d", seed).isEqualTo(sent);
        assertThat(service.counters().sendsReleased.get()).as("seed %d", seed).isEqualTo(sent);
        assertThat(service.counters().fallbackReleases.get()).isZero();
        assertThat(service.counters().staleSendReleases.get())
                .as("seed %d", seed)
                .isEqualTo(expectedStale);
        assertThat(transport.pool().inUse().get()).as("seed %d", seed).isZero();
        assertThat(transport.pool().staleReleases().get()).isZero();
        assertThat(service.counters().addressHandles.get()).isZero();
        assertThat(transport.openHandles).isZero();
        assertThat(transport.doubleCloses).isZero();
        assertThat(delivered).as("seed %d", seed).isPositive();
        if (hasResident) {
            assertThat(delivered).as("seed %d", seed).isEqualTo(ended);
        }
        assertThat(streams.sendFallbackReleases().get()).isPositive();
        assertThat(thrown).isPositive();
        assertThat(errors.count(HandlerErrors.Handler.MAD_SEND)).isEqualTo(thrown);
        assertThat(clock.armedDeadlines()).isZero();
        long counted = 0;
        for (WorkCompletionStatus status : WorkCompletionStatus.values()) {
            counted += streams.completions(status).get();
        }
        assertThat(counted).isEqualTo(sent);
        assertThat(streams.completions(WorkCompletionStatus.RESPONSE_TIMEOUT).get())
                .isPositive();
        assertThat(streams.completions(WorkCompletionStatus.WORK_REQUEST_FLUSHED)
                        .get())
                .isPositive();
    }

    private MadAgent register() throws VerbsException {
        return service.register(CLASS, 1, MadReceiveHandler.IGNORE);
    }

    /** Notes in which order sends end, before the streams get them. */
    private void recordOrder() {
        MadSendHandler streams = service.sendHandler();
        service.sendHandler(new MadSendHandler() {
            @Override
            public void onSendCompletion(MadAgent agent, MadSendCompletion completion) {
                endOrder[(int) completion.token()] = ++ended;
                streams.onSendCompletion(agent, completion);
            }

            @Override
            public boolean keepsAfterAgentClosed() {
                return streams.keepsAfterAgentClosed();
            }

            @Override
            public void onClosed() {
                streams.onClosed();
            }
        });
    }

    private int send(MadAgent agent, int count) {
        int sent = 0;
        MadBuffer buffer = count == 0 ? null : agent.allocate();
        while (buffer != null) {
            new MadHeader()
                    .wrap(buffer.buffer(), MadBuffer.MAD_OFFSET)
                    .baseVersion(MadHeader.BASE_VERSION)
                    .managementClass(CLASS)
                    .method(MadHeader.METHOD_GET)
                    .transactionId(agent.nextTransactionId());
            MadAddress to = MadAddress.generalServices(0, FakeMadTransport.PEER);
            if (random.nextInt(10) == 0) {
                agent.sendRequest(buffer, to, MILLI, random.nextInt(3));
            } else {
                agent.send(buffer, to);
            }
            sent++;
            buffer = sent == count ? null : agent.allocate();
        }
        return sent;
    }

    private void complete(int count) {
        for (int i = 0; i < count; i++) {
            transport.completeNext(STATUSES[random.nextInt(STATUSES.length)]);
        }
    }

    private void stepOwner(MadPortStreams streams) {
        Owner current = owner;
        if (current == null) {
            if (random.nextInt(4) == 0) {
                Owner next = new Owner(Behaviour.values()[random.nextInt(Behaviour.values().length)]);
                streams.sendCompletions().subscribe(next);
                if (!next.isOver()) {
                    owner = next;
                }
            }
        } else {
            current.step();
            if (current.isOver()) {
                owner = null;
            }
        }
    }

    private void onDelivered(Object to, MadSendCompletion completion) {
        long order = endOrder[(int) completion.token()];
        // Nothing is left out under one owner, nor at all when the resident takes over what its owner left.
        boolean next = hasResident || to == lastOwner ? order == lastDelivered + 1 : order > lastDelivered;
        if (!next) {
            throw new AssertionError("number " + order + " came after " + lastDelivered);
        }
        lastOwner = to;
        lastDelivered = order;
        delivered++;
    }

    private void releaseLate(MadSendCompletion completion) {
        if (!completion.release()) {
            expectedStale++;
        }
    }

    /** The resident's handler: throws now and then, before or after it releases. */
    private void handle(MadAgent agent, MadSendCompletion completion) {
        onDelivered(agent.service(), completion);
        int dice = random.nextInt(100);
        if (dice != 0) {
            completion.release();
        }
        if (dice < 2) {
            thrown++;
            throw new IllegalStateException("handler of the test");
        }
    }

    private enum Behaviour {
        /** Requests one now and then, releases later, some twice. */
        SLOW,
        /** Takes all, releases at once, cancels from within onNext. */
        CANCELLING,
        /** Throws at some element. */
        THROWING,
        /** Does not request. */
        IDLE,
        /** Takes all and releases none. */
        HOARDING
    }

    private final class Owner implements CoreSubscriber<MadSendCompletion> {
        private final Behaviour behaviour;
        private final ArrayDeque<MadSendCompletion> kept = new ArrayDeque<>();
        private Subscription subscription;
        private int lifetime = 1 + random.nextInt(200);
        private boolean over;

        Owner(Behaviour behaviour) {
            this.behaviour = behaviour;
        }

        boolean isOver() {
            return over;
        }

        @Override
        public void onSubscribe(Subscription newSubscription) {
            subscription = newSubscription;
            if (behaviour != Behaviour.IDLE && behaviour != Behaviour.SLOW) {
                newSubscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(MadSendCompletion completion) {
            assertThat(over).isFalse();
            onDelivered(this, completion);
            switch (behaviour) {
                case SLOW, HOARDING -> kept.add(completion);
                case THROWING -> {
                    if (random.nextInt(20) == 0) {
                        over = true;
                        thrown++;
                        throw new IllegalStateException("owner of the test");
                    }
                    completion.release();
                }
                case CANCELLING -> {
                    if (random.nextInt(50) == 0) {
                        over = true;
                        subscription.cancel();
                    }
                    completion.release();
                }
                case IDLE -> throw new AssertionError("not requested");
            }
        }

        void step() {
            if (behaviour == Behaviour.SLOW) {
                subscription.request(1 + random.nextInt(8));
                for (int i = random.nextInt(8); i > 0 && !kept.isEmpty(); i--) {
                    MadSendCompletion completion = kept.poll();
                    releaseLate(completion);
                    if (random.nextInt(10) == 0) {
                        releaseLate(completion);
                    }
                }
            }
            if (--lifetime == 0 && !over) {
                leave();
            }
        }

        void leave() {
            over = true;
            subscription.cancel();
            // What it still holds was released for it: it notices nothing, and its own release is counted.
            kept.forEach(MadSendStreamSimulationTest.this::releaseLate);
            kept.clear();
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {
            over = true;
        }
    }
}
