package io.srpt.scsi;

/** What {@link DeviceServer#begin} wants next for a task. */
public enum TaskPhase {
    /** Place the data-out in buffers ({@link ScsiTask#dataOutCapacity()} bytes), then {@link DeviceServer#execute}. */
    NEEDS_DATA_OUT,
    /** Supply buffers for the data-in ({@link ScsiTask#dataInCapacity()} bytes, maybe 0), then {@link DeviceServer#execute}. */
    READY,
    /** Older tasks come first (SAM-5 §8); {@link ScsiTaskListener#onTaskBegun} says what follows. */
    WAITING,
    /** The status is set; nothing else happens, and the listener is not called. */
    DONE
}
