package io.srpt.scsi;

/**
 * The mode parameters of a disk that MODE SELECT may change; all nexuses share them, and a reset gives the defaults back
 * (nothing is saved). Owner loop only.
 */
final class ModeParameters {
    private boolean writeThrough;
    private boolean softwareWriteProtect;
    private boolean descriptorSense;
    private boolean taskAborted;

    ModeParameters() {
        reset();
    }

    /** The defaults, as after power on. */
    void reset() {
        writeThrough = false;
        softwareWriteProtect = false;
        descriptorSense = false;
        taskAborted = true;
    }

    /** WCE 0 by choice: writes are durable before their status, whatever cache the store has. */
    boolean writeThrough() {
        return writeThrough;
    }

    void writeThrough(boolean on) {
        writeThrough = on;
    }

    /** SWP: every write is refused. */
    boolean softwareWriteProtect() {
        return softwareWriteProtect;
    }

    void softwareWriteProtect(boolean on) {
        softwareWriteProtect = on;
    }

    /** D_SENSE: sense data in descriptor format. */
    boolean descriptorSense() {
        return descriptorSense;
    }

    void descriptorSense(boolean on) {
        descriptorSense = on;
    }

    /** TAS: tasks that another nexus ends are told so by status TASK ABORTED; else by unit attention only. */
    boolean taskAborted() {
        return taskAborted;
    }

    void taskAborted(boolean on) {
        taskAborted = on;
    }
}
