package io.srpt.scsi;

/** The sense keys with additional sense codes that this device server reports (SPC-4 annex D). */
public enum Sense {
    NO_SENSE(SenseKey.NO_SENSE, 0x00, 0x00),
    LOGICAL_UNIT_NOT_READY(SenseKey.NOT_READY, 0x04, 0x00),
    FORMAT_IN_PROGRESS(SenseKey.NOT_READY, 0x04, 0x04),
    SANITIZE_IN_PROGRESS(SenseKey.NOT_READY, 0x04, 0x1B),
    WRITE_ERROR(SenseKey.MEDIUM_ERROR, 0x0C, 0x00),
    UNRECOVERED_READ_ERROR(SenseKey.MEDIUM_ERROR, 0x11, 0x00),
    FORMAT_COMMAND_FAILED(SenseKey.MEDIUM_ERROR, 0x31, 0x01),
    SANITIZE_COMMAND_FAILED(SenseKey.MEDIUM_ERROR, 0x31, 0x03),
    INTERNAL_TARGET_FAILURE(SenseKey.HARDWARE_ERROR, 0x44, 0x00),
    INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT(SenseKey.ILLEGAL_REQUEST, 0x0E, 0x03),
    PARAMETER_LIST_LENGTH_ERROR(SenseKey.ILLEGAL_REQUEST, 0x1A, 0x00),
    INVALID_OPERATION_CODE(SenseKey.ILLEGAL_REQUEST, 0x20, 0x00),
    LBA_OUT_OF_RANGE(SenseKey.ILLEGAL_REQUEST, 0x21, 0x00),
    INVALID_FIELD_IN_CDB(SenseKey.ILLEGAL_REQUEST, 0x24, 0x00),
    LOGICAL_UNIT_NOT_SUPPORTED(SenseKey.ILLEGAL_REQUEST, 0x25, 0x00),
    INVALID_FIELD_IN_PARAMETER_LIST(SenseKey.ILLEGAL_REQUEST, 0x26, 0x00),
    TOO_MANY_TARGET_DESCRIPTORS(SenseKey.ILLEGAL_REQUEST, 0x26, 0x06),
    UNSUPPORTED_TARGET_DESCRIPTOR_TYPE(SenseKey.ILLEGAL_REQUEST, 0x26, 0x07),
    TOO_MANY_SEGMENT_DESCRIPTORS(SenseKey.ILLEGAL_REQUEST, 0x26, 0x08),
    UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE(SenseKey.ILLEGAL_REQUEST, 0x26, 0x09),
    SAVING_PARAMETERS_NOT_SUPPORTED(SenseKey.ILLEGAL_REQUEST, 0x39, 0x00),
    WRITE_PROTECTED(SenseKey.DATA_PROTECT, 0x27, 0x00),
    SOFTWARE_WRITE_PROTECTED(SenseKey.DATA_PROTECT, 0x27, 0x02),
    SPACE_ALLOCATION_FAILED(SenseKey.DATA_PROTECT, 0x27, 0x07),
    POWER_ON_OCCURRED(SenseKey.UNIT_ATTENTION, 0x29, 0x01),
    BUS_DEVICE_RESET_OCCURRED(SenseKey.UNIT_ATTENTION, 0x29, 0x03),
    I_T_NEXUS_LOSS_OCCURRED(SenseKey.UNIT_ATTENTION, 0x29, 0x07),
    MODE_PARAMETERS_CHANGED(SenseKey.UNIT_ATTENTION, 0x2A, 0x01),
    CAPACITY_DATA_CHANGED(SenseKey.UNIT_ATTENTION, 0x2A, 0x09),
    COMMANDS_CLEARED_BY_ANOTHER_INITIATOR(SenseKey.UNIT_ATTENTION, 0x2F, 0x00),
    REPORTED_LUNS_DATA_CHANGED(SenseKey.UNIT_ATTENTION, 0x3F, 0x0E),
    THIRD_PARTY_DEVICE_FAILURE(SenseKey.COPY_ABORTED, 0x0D, 0x01),
    COPY_TARGET_DEVICE_NOT_REACHABLE(SenseKey.COPY_ABORTED, 0x0D, 0x02),
    MISCOMPARE_DURING_VERIFY(SenseKey.MISCOMPARE, 0x1D, 0x00);

    private final int key;
    private final int asc;
    private final int ascq;

    Sense(int key, int asc, int ascq) {
        this.key = key;
        this.asc = asc;
        this.ascq = ascq;
    }

    /** Sense key, 4 bits; see {@link SenseKey}. */
    public int key() {
        return key;
    }

    /** Additional sense code. */
    public int asc() {
        return asc;
    }

    /** Additional sense code qualifier. */
    public int ascq() {
        return ascq;
    }
}
