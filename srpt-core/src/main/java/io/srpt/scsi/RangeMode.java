package io.srpt.scsi;

/** What a task does to a range of the medium, as far as other tasks are concerned; see {@link RangeLocks}. */
enum RangeMode {
    /** Reads; beside others that read and write. */
    READ,
    /** Writes; beside others that read and write, since nobody may rely on an order among them. */
    WRITE,
    /** Is alone on its range, such as one that reads, compares and writes. */
    EXCLUSIVE
}
