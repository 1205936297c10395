package io.srpt.reactor;

import io.srpt.counter.Counter;
import io.srpt.mad.MadSendCompletion;
import io.srpt.mad.MadSendHandler;
import io.srpt.verbs.WorkCompletionStatus;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * The MAD send handler ({@code srpt_mad_send_handler}): subscribes to the send completions of a port, has each one's address
 * handle and buffer released exactly once, whether it was sent, failed, flushed or not answered in time, and counts it by
 * status.
 *
 * <p>A {@link MadSendHandler} may take the place of the release. When it throws, the completion is released for it if it has
 * not done so, the error is counted and the next completion goes to it as ever.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class MadSendSubscriber implements CoreSubscriber<MadSendCompletion> {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();
    private static final MadSendHandler RELEASE = (agent, completion) -> completion.release();

    private final MadSendHandler handler;
    private final HandlerErrors errors;
    private final Counter[] byStatus = new Counter[STATUSES.length];
    private final Counter fallbackReleases = new Counter();

    /** One that releases at once. */
    public MadSendSubscriber() {
        this(RELEASE);
    }

    /** One that leaves the release to {@code handler}. */
    public MadSendSubscriber(MadSendHandler handler) {
        this(handler, new HandlerErrors());
    }

    MadSendSubscriber(MadSendHandler handler, HandlerErrors errors) {
        this.handler = handler;
        this.errors = errors;
        for (int i = 0; i < byStatus.length; i++) {
            byStatus[i] = new Counter();
        }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(MadSendCompletion completion) {
        byStatus[completion.status().ordinal()].increment();
        try {
            handler.onSendCompletion(completion.agent(), completion);
        } catch (RuntimeException | AssertionError e) {
            errors.onError(HandlerErrors.Handler.MAD_SEND, e);
            if (completion.isHeld()) {
                fallbackReleases.increment();
                completion.release();
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        errors.onError(HandlerErrors.Handler.MAD_SEND, failure);
    }

    @Override
    public void onComplete() {
        // The port closed; nothing is held.
    }

    /** Sends that ended with {@code status}. */
    public Counter completions(WorkCompletionStatus status) {
        return byStatus[status.ordinal()];
    }

    /** Sends that were released here because the handler threw. */
    public Counter fallbackReleases() {
        return fallbackReleases;
    }

    /** What the handler threw. */
    public HandlerErrors errors() {
        return errors;
    }
}
