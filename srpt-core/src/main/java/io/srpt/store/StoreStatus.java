package io.srpt.store;

/** How a store's operation ended. Every value but {@link #OK} is mapped to a SCSI status or sense by the device server. */
public enum StoreStatus {
    /** All bytes were moved; for a flush, everything written before is durable. */
    OK,
    /** The medium did not give the data back. */
    READ_ERROR,
    /** The medium did not take the data. */
    WRITE_ERROR,
    /** Written data may not be durable; stays until the store is opened again, so that no later flush hides it. */
    FLUSH_ERROR,
    /** The medium behind a thinly allocated store is full. */
    NO_SPACE,
    /** The store is read-only. */
    WRITE_PROTECTED,
    /** The range is not inside the store. */
    OUT_OF_RANGE,
    /** The queue in front of the store is full; nothing was done, the operation may be tried again. */
    BUSY,
    /** The store is closed, or its medium is gone. */
    NOT_READY,
    /** The store cannot do what was asked; nothing was done. */
    NOT_SUPPORTED,
    /** Anything else: a defect in or below the store. */
    INTERNAL_ERROR
}
