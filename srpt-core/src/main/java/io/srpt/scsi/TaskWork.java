package io.srpt.scsi;

/** What a command of several steps remembers between them, kept in its task. Owner loop only. */
interface TaskWork {
    /** The task is over, and no store works for it any more. */
    default void release() {}
}
