package io.srpt.mad.dm;

import io.srpt.verbs.DeviceAttributes;

/**
 * What a target tells about its one I/O controller.
 *
 * @param serviceGuid GUID of the controller, id extension and IB/CM service id at once
 * @param id text for humans, up to 63 bytes of UTF-8
 * @param vendorId the device's vendor
 * @param deviceId the vendor's part number
 * @param deviceVersion the vendor's version number
 * @param maxRequestLength bytes of the longest request information unit
 * @param maxRdmaSize bytes of the longest RDMA transfer, cut to 2^24
 * @param queueDepth requests that a channel takes at once
 */
public record IoControllerDescription(
        long serviceGuid,
        String id,
        int vendorId,
        int deviceId,
        int deviceVersion,
        int maxRequestLength,
        int maxRdmaSize,
        int queueDepth) {
    public static final String DEFAULT_ID = "srpt";
    public static final int DEFAULT_MAX_REQUEST_LENGTH = 8276;
    public static final int DEFAULT_MAX_RDMA_SIZE = 65536;
    public static final int DEFAULT_QUEUE_DEPTH = 128;

    private static final int RDMA_SIZE_LIMIT = 1 << 24;
    private static final int READ_QUEUE_DEPTH = 4;

    /** With the defaults, and the vendor of {@code device}. */
    public static IoControllerDescription of(long serviceGuid, DeviceAttributes device) {
        return new IoControllerDescription(
                serviceGuid,
                DEFAULT_ID,
                device.vendorId(),
                device.vendorPartId(),
                device.hardwareVersion(),
                DEFAULT_MAX_REQUEST_LENGTH,
                DEFAULT_MAX_RDMA_SIZE,
                Math.min(DEFAULT_QUEUE_DEPTH, device.maxQueuePairRequests()));
    }

    /** The profile that is sent. */
    public IoControllerProfile profile() {
        return new IoControllerProfile(
                serviceGuid,
                vendorId,
                deviceId,
                deviceVersion,
                vendorId,
                0,
                IoControllerProfile.IO_CLASS_SRP,
                IoControllerProfile.IO_SUBCLASS_SRP,
                IoControllerProfile.PROTOCOL_SRP,
                IoControllerProfile.PROTOCOL_VERSION_SRP,
                queueDepth,
                READ_QUEUE_DEPTH,
                maxRequestLength,
                Math.min(maxRdmaSize, RDMA_SIZE_LIMIT),
                IoControllerProfile.OPERATION_SEND_TO
                        | IoControllerProfile.OPERATION_SEND_FROM
                        | IoControllerProfile.OPERATION_RDMA_READ_FROM
                        | IoControllerProfile.OPERATION_RDMA_WRITE_FROM,
                0,
                1,
                id);
    }
}
