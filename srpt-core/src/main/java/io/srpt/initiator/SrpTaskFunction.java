package io.srpt.initiator;

/** Task management functions of SRP_TSK_MGMT (SRP r16a §6.7). */
public enum SrpTaskFunction {
    ABORT_TASK(0x01),
    ABORT_TASK_SET(0x02),
    CLEAR_TASK_SET(0x04),
    LUN_RESET(0x08),
    CLEAR_ACA(0x40);

    private final int code;

    SrpTaskFunction(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }
}
