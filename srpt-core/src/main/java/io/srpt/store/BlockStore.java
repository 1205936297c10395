package io.srpt.store;

import java.nio.ByteBuffer;

/**
 * Holds the bytes of one disk. The service-provider interface for those who bring their own storage.
 *
 * <p>Units are bytes; the device server calls with offsets and lengths that lie inside {@link #sizeBytes()}, and a store
 * checks them all the same. An operation moves the bytes between {@code position} and {@code limit} of
 * {@code segments[0..count)}, in order, and no other byte. Positions and limits are as before once the operation has
 * ended, but may change while it runs: from the call until {@link StoreCompletion#onStoreDone} the segments and the array
 * belong to the store.
 *
 * <p>Threads: any thread may call; operations of one store may run at the same time and in any order, and those that
 * overlap while in flight have no defined result. No method but {@link #close()} may block. Errors are reported through
 * the completion and never thrown.
 *
 * <p>Durability: with {@link #writeCacheEnabled()} false a write is durable before it completes with
 * {@link StoreStatus#OK}. With true it is so only when {@code fua} was given or a later flush has ended well. After a flush
 * failed, no flush and no FUA write may report {@link StoreStatus#OK} until the store has been opened again.
 */
public interface BlockStore extends AutoCloseable {
    /** Size in bytes; may grow while the store is open, and never shrinks. */
    long sizeBytes();

    /** Whether every write is refused. */
    boolean readOnly();

    /** Whether completed writes may still be volatile (the WCE bit of the caching mode page). */
    boolean writeCacheEnabled();

    /** Fills the segments from {@code offset} on. */
    void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done);

    /** Writes the segments from {@code offset} on; with {@code fua} they are durable before the completion. */
    void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done);

    /** Makes every write that has completed before this call durable. */
    void flush(StoreCompletion done);

    /**
     * Releases the storage. Operations in flight end with an error or finish; later ones end with
     * {@link StoreStatus#NOT_READY}. May block for a short time; a second call does nothing.
     */
    @Override
    void close();
}
