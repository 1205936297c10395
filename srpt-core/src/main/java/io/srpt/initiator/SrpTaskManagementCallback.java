package io.srpt.initiator;

/** Who is told how a task management function ended. */
@FunctionalInterface
public interface SrpTaskManagementCallback {
    /**
     * The function ended. Commands that it ended have been completed before, with
     * {@link InitiatorCommand.Outcome#ABORTED}. On the session's loop; must not block.
     */
    void onTaskManagementEnd(SrpTaskFunction function, Result result);

    /** How a function ended. */
    enum Result {
        COMPLETE,
        INVALID_FIELDS,
        NOT_SUPPORTED,
        FAILED,
        /** The session ended first. */
        SESSION_LOST;

        /** Of a response code of SRP_RSP. */
        static Result of(int responseCode) {
            return switch (responseCode) {
                case 0 -> COMPLETE;
                case 2 -> INVALID_FIELDS;
                case 4 -> NOT_SUPPORTED;
                default -> FAILED;
            };
        }
    }
}
