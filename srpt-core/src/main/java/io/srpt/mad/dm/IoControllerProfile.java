package io.srpt.mad.dm;

import java.nio.ByteBuffer;

/**
 * Attribute IOControllerProfile, 128 bytes (InfiniBand Architecture Specification, volume 1, section 16.3.3.4; the values
 * for SRP: SRP r16a, annex B.7).
 *
 * <pre>
 *  0 IOC GUID (8)            | 8 VendorID (4)              | 12 DeviceID (4)
 * 16 DeviceVersion (2)       | 18 reserved (2)             | 20 SubsystemVendorID (4)
 * 24 SubsystemID (4)         | 28 IOClass (2)              | 30 IOSubclass (2)
 * 32 Protocol (2)            | 34 ProtocolVersion (2)      | 36 ServiceConnections (2)
 * 38 InitiatorsSupported (2) | 40 SendMessageQueueDepth (2)| 42 reserved (1)
 * 43 RDMAReadQueueDepth (1)  | 44 SendMessageSize (4)      | 48 RDMATransferSize (4)
 * 52 ControllerOperationsCapabilityMask (1) | 53 ControllerServicesCapabilityMask (1)
 * 54 ServiceEntries (1)      | 55 reserved (9)             | 64 ID string (64)
 * </pre>
 *
 * @param guid GUID of the controller
 * @param vendorId as a plain 32-bit number, as Linux writes it
 * @param deviceId the vendor's part number
 * @param deviceVersion the vendor's version number
 * @param subsystemVendorId as {@code vendorId}
 * @param subsystemId the subsystem vendor's number
 * @param ioClass {@link #IO_CLASS_SRP}, or {@link #IO_CLASS_SRP_REVISION_10} for targets of the old draft
 * @param ioSubclass {@link #IO_SUBCLASS_SRP}
 * @param protocol {@link #PROTOCOL_SRP}
 * @param protocolVersion {@link #PROTOCOL_VERSION_SRP}
 * @param sendQueueDepth messages that the controller takes at once
 * @param readQueueDepth RDMA READs that the controller has outstanding a channel
 * @param sendMessageSize bytes of the longest message that the controller takes
 * @param rdmaTransferSize bytes of the longest RDMA transfer
 * @param operations sum of the OPERATION values
 * @param services ControllerServicesCapabilityMask
 * @param serviceEntries how many service entries there are
 * @param id text for humans, up to 63 bytes of UTF-8
 */
public record IoControllerProfile(
        long guid,
        int vendorId,
        int deviceId,
        int deviceVersion,
        int subsystemVendorId,
        int subsystemId,
        int ioClass,
        int ioSubclass,
        int protocol,
        int protocolVersion,
        int sendQueueDepth,
        int readQueueDepth,
        int sendMessageSize,
        int rdmaTransferSize,
        int operations,
        int services,
        int serviceEntries,
        String id) {
    public static final int LENGTH = 128;

    public static final int GUID_OFFSET = 0;
    public static final int VENDOR_ID_OFFSET = 8;
    public static final int DEVICE_ID_OFFSET = 12;
    public static final int DEVICE_VERSION_OFFSET = 16;
    public static final int SUBSYSTEM_VENDOR_ID_OFFSET = 20;
    public static final int SUBSYSTEM_ID_OFFSET = 24;
    public static final int IO_CLASS_OFFSET = 28;
    public static final int IO_SUBCLASS_OFFSET = 30;
    public static final int PROTOCOL_OFFSET = 32;
    public static final int PROTOCOL_VERSION_OFFSET = 34;
    public static final int SEND_QUEUE_DEPTH_OFFSET = 40;
    public static final int READ_QUEUE_DEPTH_OFFSET = 43;
    public static final int SEND_MESSAGE_SIZE_OFFSET = 44;
    public static final int RDMA_TRANSFER_SIZE_OFFSET = 48;
    public static final int OPERATIONS_OFFSET = 52;
    public static final int SERVICES_OFFSET = 53;
    public static final int SERVICE_ENTRIES_OFFSET = 54;
    public static final int ID_OFFSET = 64;
    public static final int ID_LENGTH = 64;
    /** Bytes of text that fit. */
    public static final int MAX_ID_LENGTH = ID_LENGTH - 1;

    public static final int IO_CLASS_SRP = 0x0100;
    public static final int IO_CLASS_SRP_REVISION_10 = 0xFF00;
    public static final int IO_SUBCLASS_SRP = 0x609E;
    public static final int PROTOCOL_SRP = 0x0108;
    public static final int PROTOCOL_VERSION_SRP = 0x0001;

    public static final int OPERATION_SEND_TO = 0x01;
    public static final int OPERATION_SEND_FROM = 0x02;
    public static final int OPERATION_RDMA_READ_FROM = 0x08;
    public static final int OPERATION_RDMA_WRITE_FROM = 0x20;

    /** Whether it is an SRP target of either revision. */
    public boolean isSrp() {
        return (ioClass == IO_CLASS_SRP || ioClass == IO_CLASS_SRP_REVISION_10)
                && ioSubclass == IO_SUBCLASS_SRP
                && protocol == PROTOCOL_SRP
                && protocolVersion == PROTOCOL_VERSION_SRP;
    }

    /** Writes all 128 bytes. */
    public void write(ByteBuffer buffer, int offset) {
        Fields.clear(buffer, offset, LENGTH);
        buffer.putLong(offset + GUID_OFFSET, guid);
        buffer.putInt(offset + VENDOR_ID_OFFSET, vendorId);
        buffer.putInt(offset + DEVICE_ID_OFFSET, deviceId);
        buffer.putShort(offset + DEVICE_VERSION_OFFSET, (short) deviceVersion);
        buffer.putInt(offset + SUBSYSTEM_VENDOR_ID_OFFSET, subsystemVendorId);
        buffer.putInt(offset + SUBSYSTEM_ID_OFFSET, subsystemId);
        buffer.putShort(offset + IO_CLASS_OFFSET, (short) ioClass);
        buffer.putShort(offset + IO_SUBCLASS_OFFSET, (short) ioSubclass);
        buffer.putShort(offset + PROTOCOL_OFFSET, (short) protocol);
        buffer.putShort(offset + PROTOCOL_VERSION_OFFSET, (short) protocolVersion);
        buffer.putShort(offset + SEND_QUEUE_DEPTH_OFFSET, (short) sendQueueDepth);
        buffer.put(offset + READ_QUEUE_DEPTH_OFFSET, (byte) readQueueDepth);
        buffer.putInt(offset + SEND_MESSAGE_SIZE_OFFSET, sendMessageSize);
        buffer.putInt(offset + RDMA_TRANSFER_SIZE_OFFSET, rdmaTransferSize);
        buffer.put(offset + OPERATIONS_OFFSET, (byte) operations);
        buffer.put(offset + SERVICES_OFFSET, (byte) services);
        buffer.put(offset + SERVICE_ENTRIES_OFFSET, (byte) serviceEntries);
        Fields.putText(buffer, offset + ID_OFFSET, ID_LENGTH, id);
    }

    /** Reads it; the caller has checked that 128 bytes exist. */
    public static IoControllerProfile read(ByteBuffer buffer, int offset) {
        return new IoControllerProfile(
                buffer.getLong(offset + GUID_OFFSET),
                buffer.getInt(offset + VENDOR_ID_OFFSET),
                buffer.getInt(offset + DEVICE_ID_OFFSET),
                buffer.getShort(offset + DEVICE_VERSION_OFFSET) & 0xFFFF,
                buffer.getInt(offset + SUBSYSTEM_VENDOR_ID_OFFSET),
                buffer.getInt(offset + SUBSYSTEM_ID_OFFSET),
                buffer.getShort(offset + IO_CLASS_OFFSET) & 0xFFFF,
                buffer.getShort(offset + IO_SUBCLASS_OFFSET) & 0xFFFF,
                buffer.getShort(offset + PROTOCOL_OFFSET) & 0xFFFF,
                buffer.getShort(offset + PROTOCOL_VERSION_OFFSET) & 0xFFFF,
                buffer.getShort(offset + SEND_QUEUE_DEPTH_OFFSET) & 0xFFFF,
                buffer.get(offset + READ_QUEUE_DEPTH_OFFSET) & 0xFF,
                buffer.getInt(offset + SEND_MESSAGE_SIZE_OFFSET),
                buffer.getInt(offset + RDMA_TRANSFER_SIZE_OFFSET),
                buffer.get(offset + OPERATIONS_OFFSET) & 0xFF,
                buffer.get(offset + SERVICES_OFFSET) & 0xFF,
                buffer.get(offset + SERVICE_ENTRIES_OFFSET) & 0xFF,
                Fields.getText(buffer, offset + ID_OFFSET, ID_LENGTH));
    }
}
