package io.srpt.reactor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Factory;
import org.testng.annotations.Parameters;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/**
 * The TCK for one publisher of the API, cut to the length that a test asks for. Events are published when a subscriber is
 * there.
 */
public final class FluxVerification extends PublisherVerification<Object> {
    private static final long TIMEOUT_MILLIS = 1000;
    private static final long NO_SIGNAL_MILLIS = 30;
    private static final int COLLECTIONS = 5;
    /** Collections stop all that is verified side by side: one at a time. */
    private static final Object COLLECTING = new Object();

    private final Method method;
    private final boolean ofPort;
    private final TestEnvironment environment;

    private @Nullable PublishedEvents events;

    private FluxVerification(Method method, boolean ofPort) {
        this(method, ofPort, new TestEnvironment(TIMEOUT_MILLIS, NO_SIGNAL_MILLIS));
    }

    private FluxVerification(Method method, boolean ofPort, TestEnvironment environment) {
        super(environment);
        this.environment = environment;
        this.method = method;
        this.ofPort = ofPort;
    }

    /** One for each publisher of the API, of the whole target and of a port. */
    static List<FluxVerification> all() {
        List<FluxVerification> all = new ArrayList<>();
        for (Method each : FluxMethods.ofTheApi()) {
            all.add(new FluxVerification(each, false));
            if (each.getDeclaringClass() == SrptStreams.class) {
                all.add(new FluxVerification(each, true));
            }
        }
        return all;
    }

    /** Number {@code index} of {@link #all}. */
    @Factory
    @Parameters("index")
    public static Object[] one(int index) {
        return new Object[] {all().get(index)};
    }

    @Override
    public String toString() {
        return FluxMethods.name(method) + (ofPort ? " of a port" : "");
    }

    @Override
    public Publisher<Object> createPublisher(long elements) {
        PublishedEvents fresh = fresh();
        Flux<Object> flux = FluxMethods.call(method, fresh, ofPort).take(elements);
        return subscriber -> {
            flux.subscribe(subscriber);
            fresh.publish((int) elements);
        };
    }

    /** An owning stream fails for a second subscriber. Observer streams do not fail. */
    @Override
    public @Nullable Publisher<Object> createFailedPublisher() {
        if (!isOwning()) {
            return null;
        }
        Flux<Object> flux = FluxMethods.call(method, fresh(), ofPort);
        flux.subscribe();
        return flux;
    }

    @Override
    public long maxElementsFromPublisher() {
        return PublishedEvents.BUFFERS / 3;
    }

    /** Owning streams are unicast. */
    @Override
    @Test
    public void optional_spec111_maySupportMultiSubscribe() throws Throwable {
        if (isOwning()) {
            notVerified();
        }
        super.optional_spec111_maySupportMultiSubscribe();
    }

    /** One collection may come while a thread still has the subscriber on its stack. */
    @Override
    @Test
    public void required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber()
            throws Throwable {
        for (int left = COLLECTIONS; left > 0; left--) {
            try {
                synchronized (COLLECTING) {
                    super.required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber();
                }
                return;
            } catch (AssertionError e) {
                if (left == 1) {
                    throw e;
                }
                environment.clearAsyncErrors();
            }
        }
    }

    private boolean isOwning() {
        return method.getName().matches("madSendCompletions|madReceives|sendCompletions|receives");
    }

    private PublishedEvents fresh() {
        close();
        PublishedEvents fresh = new PublishedEvents();
        events = fresh;
        return fresh;
    }

    @AfterMethod
    public void close() {
        PublishedEvents last = events;
        events = null;
        if (last != null) {
            last.close();
        }
    }
}
