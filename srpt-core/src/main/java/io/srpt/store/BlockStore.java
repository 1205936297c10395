package io.srpt.store;

import java.nio.ByteBuffer;

/**
 * Holds the bytes of one disk. The service-provider interface for those who bring their own storage; seven methods make a
 * store, the others have defaults that are right for one that always occupies all of its medium.
 * {@code io.srpt.store.testing.StoreContract} checks what is said here.
 *
 * <p>Units are bytes; the device server calls with offsets and lengths that lie inside {@link #sizeBytes()}, and a store
 * checks them all the same ({@link StoreStatus#OUT_OF_RANGE}). An operation moves the bytes between {@code position} and
 * {@code limit} of {@code segments[0..count)}, in order, and no other byte. Positions and limits are as before once the
 * operation has ended, but may change while it runs: from the call until {@link StoreCompletion#onStoreDone} the segments
 * and the array belong to the store.
 *
 * <p>Threads: any thread may call; operations of one store may run at the same time and in any order, and those that
 * overlap while in flight have no defined result on the bytes that they share. No method but {@link #close()} may block. A
 * completion comes inline on the caller's thread, or later on one of the store's; a store bounds what it queues and ends
 * the rest at once with {@link StoreStatus#BUSY}. Errors are reported through the completion and never thrown.
 *
 * <p>Durability: with {@link #writeCacheEnabled()} false every change is durable before it completes with
 * {@link StoreStatus#OK}. With true it is so only when {@code fua} was given or a later flush has ended well; what has to be
 * known to find the bytes again, such as the length of a file and its holes, is part of it. A device server whose
 * initiator switched the write cache off gives {@code fua} with every change. After a flush failed, no flush and no change
 * with {@code fua} may report {@link StoreStatus#OK} until the store has been opened again, because the medium may tell of
 * a loss only once.
 */
public interface BlockStore extends AutoCloseable {
    /** Size in bytes; may grow while the store is open, and never shrinks. */
    long sizeBytes();

    /** Whether every change is refused with {@link StoreStatus#WRITE_PROTECTED}. */
    boolean readOnly();

    /** Whether completed writes may still be volatile (the WCE bit of the caching mode page). */
    boolean writeCacheEnabled();

    /** Fills the segments from {@code offset} on. */
    void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done);

    /** Writes the segments from {@code offset} on; with {@code fua} they are durable before the completion. */
    void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done);

    /** Makes every change that has completed before this call durable. */
    void flush(StoreCompletion done);

    /**
     * Releases the storage. Operations in flight end with an error or finish; later ones end with
     * {@link StoreStatus#NOT_READY}. May block for a short time; a second call does nothing.
     */
    @Override
    void close();

    /**
     * Whether the store takes space of its medium only for what was written, and {@link #unmap} gives space back. Only then
     * does the device server offer UNMAP.
     */
    default boolean thin() {
        return false;
    }

    /** Smallest unit, a power of two, that the medium writes without reading first. */
    default int physicalBlockSize() {
        return 512;
    }

    /**
     * Smallest aligned unit, a power of two, that {@link #unmap} gives back and {@link #allocation}, if it tells anything, tells
     * apart. Without meaning when the store is not {@link #thin()}.
     */
    default int unmapGranularity() {
        return physicalBlockSize();
    }

    /**
     * Makes a range read as zeros, and gives its space back as far as the store can: whole units of
     * {@link #unmapGranularity()}, at least. Costs little next to writing zeros. A length of 0 is allowed and does nothing.
     *
     * <p>The default makes zeros by {@link #writeZeroes}.
     */
    default void unmap(long offset, long length, boolean fua, StoreCompletion done) {
        writeZeroes(offset, length, true, fua, done);
    }

    /**
     * Makes a range read as zeros.
     *
     * @param mayUnmap whether its space may be given back; without it a later write to the range does not end with
     *     {@link StoreStatus#NO_SPACE} as far as the medium can promise that. The default writes zeros by {@link #write}
     */
    default void writeZeroes(long offset, long length, boolean mayUnmap, boolean fua, StoreCompletion done) {
        ZeroFill.start(this, offset, length, fua, done);
    }

    /**
     * Finds out how far from {@code offset} on the medium is occupied, or is not. A run may end inside a block.
     *
     * <p>The default, for stores that are not {@link #thin()} or cannot find out, says that all of {@code length} is.
     *
     * @param length how far to look; positive
     */
    default void allocation(long offset, long length, AllocationCompletion done) {
        boolean inside = length > 0 && Segments.inside(offset, length, sizeBytes());
        done.onAllocation(inside ? StoreStatus.OK : StoreStatus.OUT_OF_RANGE, true, length);
    }

    /** How much is occupied and how much is left, as known without blocking; a second old at most while in use. */
    default StoreUsage usage() {
        return StoreUsage.NOT_KNOWN;
    }

    /**
     * Grows the disk to {@code sizeBytes}; durable before the completion. The new bytes are zero. Ends with
     * {@link StoreStatus#OUT_OF_RANGE} when that is less than now, and, which is the default, with
     * {@link StoreStatus#NOT_SUPPORTED} when the store cannot.
     */
    default void grow(long sizeBytes, StoreCompletion done) {
        done.onStoreDone(StoreStatus.NOT_SUPPORTED, 0);
    }

    /**
     * Looks whether the medium was grown from outside, and takes the new size. {@link StoreStatus#OK} when it is as it
     * was, too. Stores may look by themselves besides.
     */
    default void rescan(StoreCompletion done) {
        done.onStoreDone(StoreStatus.OK, 0);
    }

    /**
     * Who hears that {@link #sizeBytes()} has grown; one listener a store, the last one given. A store whose size never
     * changes keeps the default, which forgets it.
     */
    default void onCapacityChange(CapacityListener listener) {}
}
