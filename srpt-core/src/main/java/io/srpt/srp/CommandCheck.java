package io.srpt.srp;

/** What {@link CommandValidator} found in an SRP_CMD. Counted by the target, one counter each. */
public enum CommandCheck {
    /** The unit is whole and its descriptors can be used. */
    OK,
    /** As OK, but the unit carries only the beginning of the indirect table: the rest must be read from the initiator. */
    PARTIAL_TABLE,
    /** Shorter than 48 bytes: not even the tag can be trusted. */
    UNIT_TOO_SHORT,
    /** The additional CDB runs past the end of the unit. */
    CDB_TRUNCATED,
    /** A variable-length CDB claims more bytes than the unit's CDB fields have. */
    CDB_LENGTH_MISMATCH,
    /** Data in both directions, which this target does not offer. */
    BIDIRECTIONAL,
    /** A buffer format without meaning, or immediate data-in. */
    BAD_FORMAT,
    /** A data buffer descriptor runs past the end of the unit. */
    DESCRIPTOR_TRUNCATED,
    /** The indirect table is longer than the limit for a command. */
    TABLE_TOO_LONG,
    /** The whole table is in the unit and describes less than the total that the unit claims. */
    TABLE_BELOW_TOTAL,
    /** Immediate data that was not agreed at login. */
    IMMEDIATE_NOT_AGREED,
    /** The immediate data descriptor reaches into the data. */
    IMMEDIATE_OVERLAP,
    /** More immediate data than the longest unit can hold. */
    IMMEDIATE_TOO_LONG,
    /** The unit ends before its immediate data does. */
    IMMEDIATE_TRUNCATED;

    /** Whether the command can go on. */
    public boolean isGood() {
        return this == OK || this == PARTIAL_TABLE;
    }
}
