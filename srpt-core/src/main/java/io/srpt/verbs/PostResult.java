package io.srpt.verbs;

/** What became of a posted work request. Only {@link #OK} will complete. */
public enum PostResult {
    /** Queued; it will complete (a send that is not signalled, only if it fails). */
    OK,
    /** The queue has no free slot; post again after a completion. */
    QUEUE_FULL,
    /** The queue pair's state does not take this work, see {@link QueuePairState}. */
    WRONG_STATE,
    /** A wrong argument: too many segments, no address handle, a length above 2^31, a key if the provider looks at it now. */
    INVALID
}
