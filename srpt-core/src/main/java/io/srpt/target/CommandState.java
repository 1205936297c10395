package io.srpt.target;

/** What a command context waits for. The transitions are in {@link CommandContext}. */
enum CommandState {
    /** Taken; nothing was decided yet, or data-in buffers are awaited. */
    NEW,
    /** Data-out, or the table that describes the data, is on its way here. */
    NEED_DATA,
    /** The device server has all it needs and executes. */
    DATA_IN,
    /** The response is queued or on its way; its completion is awaited. */
    CMD_RSP_SENT,
    /** A task management function that is carried out. */
    MGMT,
    /** The response of a task management function is queued or on its way. */
    MGMT_RSP_SENT,
    /** Free. */
    DONE
}
