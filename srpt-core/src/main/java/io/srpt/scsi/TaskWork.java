package io.srpt.scsi;

/** What a command of several steps remembers between them, kept in its task. Owner loop only. */
interface TaskWork {
    /** The task has ended, whatever ended it; a store may still work for it. */
    default void onTaskEnded() {}

    /** The task is over, and no store works for it any more. */
    default void release() {}
}
