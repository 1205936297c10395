package io.srpt.roce.packet;

/** What {@link Icrc#verify} found. Everything but {@link #OK} means: count it and drop the datagram. */
public enum IcrcVerdict {
    /** The checksum fits. */
    OK,
    /** Too short for BTH and ICRC, not a multiple of 4 bytes, or not inside its buffer. */
    BAD_LENGTH,
    /** The checksum does not fit: the datagram was damaged, or its sender masks other fields. */
    MISMATCH
}
