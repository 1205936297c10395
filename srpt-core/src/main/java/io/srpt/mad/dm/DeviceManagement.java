package io.srpt.mad.dm;

import io.srpt.mad.MadHeader;

/**
 * Numbers of the Device Management class (InfiniBand Architecture Specification, volume 1, annex A1 and section 16.3).
 * The attribute is behind 24 bytes of common header, 12 of RMPP header (zero) and 28 reserved ones.
 */
public final class DeviceManagement {
    public static final int CLASS = MadHeader.CLASS_DEVICE_MANAGEMENT;
    public static final int CLASS_VERSION = 1;

    public static final int ATTRIBUTE_CLASS_PORT_INFO = 0x0001;
    public static final int ATTRIBUTE_IO_UNIT_INFO = 0x0010;
    public static final int ATTRIBUTE_IO_CONTROLLER_PROFILE = 0x0011;
    public static final int ATTRIBUTE_SERVICE_ENTRIES = 0x0012;

    /** Where the attribute starts in the datagram. */
    public static final int DATA_OFFSET = 64;

    /** Bytes that an attribute can have. */
    public static final int DATA_LENGTH = 192;

    /** Class specific status: the slot has no controller, or the range of service entries is wrong. */
    public static final int STATUS_NO_CONTROLLER = 0x0100;

    /** Controllers that an I/O unit can have. */
    public static final int MAX_CONTROLLERS = 16;

    private DeviceManagement() {}

    /** The attribute modifier of service entries {@code first} to {@code last} of a slot. */
    public static int serviceEntriesModifier(int slot, int first, int last) {
        return slot << 16 | last << 8 | first;
    }
}
