package io.srpt.roce;

import io.srpt.time.Deadline;
import io.srpt.verbs.QueuePair.RtsAttributes;
import io.srpt.verbs.RdmaLoop;

/**
 * When a requester looks whether the peer has answered, and when it sends again after "receiver not ready". {@link RetryBudget}
 * says how long and how often.
 *
 * <p>Answers come all the time and looks hardly ever. So an answer moves no timer: one that is armed stays so, and when it is
 * over it is seen whether, and until when, it has to wait on.
 */
final class RetryTimers {
    private final RdmaLoop loop;
    private final RetryBudget budget = new RetryBudget();
    private final Deadline ackTimer;
    private final Deadline receiverTimer;
    /** Whether an answer is outstanding, and when to look for it; the ACK timer is over no later. */
    private boolean awaiting;

    private long lookNanos;

    /** {@code onSilence} runs when there was no answer in time, {@code onReceiverTime} when the peer may have a receive again. */
    RetryTimers(RdmaLoop loop, Runnable onSilence, Runnable onReceiverTime) {
        this.loop = loop;
        ackTimer = deadline(() -> onAckTimer(onSilence));
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

    private void onAckTimer(Runnable onSilence) {
        if (!awaiting) {
            return;
        }
        if (lookNanos - loop.nanoTime() > 0) {
            loop.schedule(ackTimer, lookNanos);
        } else {
            awaiting = false;
            onSilence.run();
        }
    }

    void start(RtsAttributes attributes) {
        budget.start(attributes);
    }

    void stop() {
        awaiting = false;
        loop.cancel(ackTimer);
        loop.cancel(receiverTimer);
    }

    /** Looks for an answer after a while, unless it is going to already. */
    void await() {
        if (budget.isTimed() && !awaiting && !receiverTimer.isArmed()) {
            awaiting = true;
            lookNanos = budget.nextLookNanos(loop.turnNanoTime());
            if (!ackTimer.isArmed() || ackTimer.atNanos() - lookNanos > 0) {
                loop.schedule(ackTimer, lookNanos);
            }
        }
    }

    /** No answer is outstanding. */
    void stopAwaiting() {
        awaiting = false;
    }

    /** The peer has answered something new. */
    void onProgress() {
        budget.onProgress(loop.turnNanoTime());
        awaiting = false;
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
        awaiting = false;
        loop.schedule(receiverTimer, loop.nanoTime() + nanos);
    }

    boolean isAwaitingReceiver() {
        return receiverTimer.isArmed();
    }
}
