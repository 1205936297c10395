package io.srpt.store;

/**
 * Receives the end of one operation of a {@link BlockStore}.
 *
 * <p>Implemented by preallocated command objects, so that an I/O costs no object of its own.
 */
@FunctionalInterface
public interface StoreCompletion {
    /**
     * The operation ended; called exactly once per operation, inline on the caller's thread before the store's method
     * returns, or later from a thread of the store. From here on the store does not touch the segments any more.
     *
     * @param status how it ended
     * @param errorOffset byte offset in the store of the first byte that failed where the store knows it, else the
     *     offset that the operation began at; without meaning when {@code status} is {@link StoreStatus#OK}
     */
    void onStoreDone(StoreStatus status, long errorOffset);
}
