package io.srpt.roce;

import io.srpt.verbs.QueuePair.RtsAttributes;

/**
 * How long a requester waits for an answer and how often it tries again: the ACK timeout T and the retry counts of a
 * connection, full again with each progress.
 *
 * <p>As T is seconds on most initiators, it also says when to try early: after {@value #PROBE_MILLIS} ms without an answer and
 * then twice as long each time. Only a whole T without progress counts as a retry.
 */
final class RetryBudget {
    private static final long PROBE_MILLIS = 64;
    private static final long PROBE_NANOS = PROBE_MILLIS * 1_000_000;
    private static final int MAX_DOUBLINGS = 16;
    private static final int INFINITE_RNR_RETRIES = 7;

    private int retryCount;
    private int rnrRetryCount;
    private long timeoutNanos;
    private int retriesLeft;
    private int rnrRetriesLeft;
    private int probes;
    private long countedFromNanos;

    void start(RtsAttributes attributes) {
        retryCount = attributes.retryCount();
        rnrRetryCount = attributes.rnrRetryCount();
        timeoutNanos = attributes.ackTimeout() == 0 ? 0 : 4096L << attributes.ackTimeout();
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetryCount;
    }

    /** The peer has answered something new. */
    void onProgress(long nowNanos) {
        retriesLeft = retryCount;
        rnrRetriesLeft = rnrRetryCount;
        probes = 0;
        countedFromNanos = nowNanos;
    }

    /** Whether the connection has an ACK timeout at all. */
    boolean isTimed() {
        return timeoutNanos != 0;
    }

    /** When to look for an answer if the wait begins at {@code nowNanos}. */
    long nextLookNanos(long nowNanos) {
        if (probes == 0) {
            countedFromNanos = nowNanos;
        }
        return nowNanos + Math.min(timeoutNanos, PROBE_NANOS << Math.min(probes, MAX_DOUBLINGS));
    }

    /** The look brought no answer. Whether a whole timeout is over, so that trying again counts. */
    boolean onSilence(long nowNanos) {
        probes++;
        if (nowNanos - countedFromNanos < timeoutNanos) {
            return false;
        }
        countedFromNanos = nowNanos;
        return true;
    }

    /** Takes a retry; false if none is left. */
    boolean takeRetry() {
        return retriesLeft-- > 0;
    }

    /** Takes a retry after a receiver-not-ready NAK; false if none is left. */
    boolean takeRnrRetry() {
        return rnrRetryCount == INFINITE_RNR_RETRIES || rnrRetriesLeft-- > 0;
    }
}
