package io.srpt.target;

import io.srpt.srp.TaskManagementRequest;

/** Task management functions as they are counted. */
public enum TaskManagementFunction {
    ABORT_TASK,
    ABORT_TASK_SET,
    CLEAR_TASK_SET,
    LUN_RESET,
    CLEAR_ACA,
    /** A number that has no function. */
    UNKNOWN;

    /** How a function is answered. */
    public enum Response {
        COMPLETE,
        FAILED,
        NOT_SUPPORTED
    }

    static TaskManagementFunction of(int code) {
        return switch (code) {
            case TaskManagementRequest.ABORT_TASK -> ABORT_TASK;
            case TaskManagementRequest.ABORT_TASK_SET -> ABORT_TASK_SET;
            case TaskManagementRequest.CLEAR_TASK_SET -> CLEAR_TASK_SET;
            case TaskManagementRequest.LUN_RESET -> LUN_RESET;
            case TaskManagementRequest.CLEAR_ACA -> CLEAR_ACA;
            default -> UNKNOWN;
        };
    }
}
