package io.srpt.verbs;

/** How a work request ended, with the numbers of {@code ibv_wc_status}. */
public enum WorkCompletionStatus {
    SUCCESS(0),
    LOCAL_LENGTH_ERROR(1),
    LOCAL_QP_OPERATION_ERROR(2),
    LOCAL_PROTECTION_ERROR(4),
    /** The queue pair was in, or went to, the error state before the work was done. */
    WORK_REQUEST_FLUSHED(5),
    REMOTE_INVALID_REQUEST(9),
    REMOTE_ACCESS_ERROR(10),
    REMOTE_OPERATION_ERROR(11),
    RETRY_EXCEEDED(12),
    RNR_RETRY_EXCEEDED(13),
    /** A management datagram went out, but its response did not come within time and retries. */
    RESPONSE_TIMEOUT(20),
    GENERAL_ERROR(21);

    private final int code;

    WorkCompletionStatus(int code) {
        this.code = code;
    }

    /** The number that libibverbs uses. */
    public int code() {
        return code;
    }

    /** The status with libibverbs' number {@code code}, {@link #GENERAL_ERROR} for one that has no name here. */
    public static WorkCompletionStatus of(int code) {
        for (WorkCompletionStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        return GENERAL_ERROR;
    }
}
