package io.srpt.scsi;

/** Where a command's data goes, seen from the initiator. */
public enum DataDirection {
    NONE,
    /** To the target: WRITE and parameter lists. */
    OUT,
    /** To the initiator: READ and parameter data. */
    IN
}
