package io.srpt.store;

/** Receives the answer of {@link BlockStore#allocation}; the rules of {@link StoreCompletion} hold for it. */
@FunctionalInterface
public interface AllocationCompletion {
    /**
     * The run of bytes that begins at the offset asked for.
     *
     * @param status how the query ended; the rest has meaning only when it is {@link StoreStatus#OK}
     * @param allocated whether the run occupies the medium; one that does not reads as zeros
     * @param length bytes of the run, at least 1 and at most what was asked for; the next run may be of the same kind
     */
    void onAllocation(StoreStatus status, boolean allocated, long length);
}
