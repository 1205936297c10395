package io.srpt.roce;

import io.srpt.time.Deadline;
import io.srpt.verbs.QueuePair.RtsAttributes;
import io.srpt.verbs.RdmaLoop;

/**
 * When a requester looks whether the peer has answered, and when it sends again after "receiver not ready". {@link RetryBudget}
 * says how long and how often.
 */
final class RetryTimers {
    private final RdmaLoop loop;
    private final RetryBudget budget = new RetryBudget();
    private final Deadline ackTimer;
    private final Deadline receiverTimer;

    /** {@code onSilence} runs when there was no answer in time, {@code onReceiverTime} when the peer may have a receive again. */
    RetryTimers(RdmaLoop loop, Runnable onSilence, Runnable onReceiverTime) {
        this.loop = loop;
        ackTimer = deadline(onSilence);
        receiverTimer = deadline(onReceiverTime);
    }

    private static Deadline deadline(Runnable action) {
        return new Deadline() {
            @Override
            protected void onDeadline() {
                action.run();
            }
        };
    }

    void start(RtsAttributes attributes) {
        budget.start(attributes);
    }

    void stop() {
        loop.cancel(ackTimer);
        loop.cancel(receiverTimer);
    }

    /** Looks for an answer after a while, unless it is going to already. */
    void await() {
        if (budget.isTimed() && !ackTimer.isArmed() && !receiverTimer.isArmed()) {
            loop.schedule(ackTimer, budget.nextLookNanos(loop.nanoTime()));
        }
    }

    /** No answer is outstanding. */
    void stopAwaiting() {
        loop.cancel(ackTimer);
    }

    /** The peer has answered something new. */
    void onProgress() {
        budget.onProgress(loop.nanoTime());
        loop.cancel(ackTimer);
    }

    /** The look brought no answer. Whether a whole timeout is over, so that trying again counts. */
    boolean onSilence() {
        return budget.onSilence(loop.nanoTime());
    }

    /** Takes a retry; false if none is left. */
    boolean takeRetry() {
        return budget.takeRetry();
    }

    /** Takes a retry after a receiver-not-ready NAK; false if none is left. */
    boolean takeReceiverRetry() {
        return budget.takeRnrRetry();
    }

    /** Sends nothing for {@code nanos}. */
    void awaitReceiver(long nanos) {
        loop.cancel(ackTimer);
        loop.schedule(receiverTimer, loop.nanoTime() + nanos);
    }

    boolean isAwaitingReceiver() {
        return receiverTimer.isArmed();
    }
}
