package io.srpt.verbs;

/**
 * What a device is and can do.
 *
 * @param nodeGuid EUI-64 of the node
 * @param vendorId 24-bit OUI
 * @param vendorPartId the vendor's part number
 * @param hardwareVersion the vendor's version number
 * @param maxQueuePairRequests work requests a queue
 * @param maxSharedReceives receives of a shared receive queue
 * @param maxSegments scatter-gather elements of a work request
 * @param maxReads RDMA READs outstanding a queue pair, either way
 * @param localAckDelay target ACK delay exponent for the connection manager
 */
public record DeviceAttributes(
        long nodeGuid,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQueuePairRequests,
        int maxSharedReceives,
        int maxSegments,
        int maxReads,
        int localAckDelay) {}
