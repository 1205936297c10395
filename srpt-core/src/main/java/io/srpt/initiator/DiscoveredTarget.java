package io.srpt.initiator;

/**
 * A target that Device Management told of.
 *
 * @param idExtension first half of the target port id
 * @param iocGuid second half of it
 * @param serviceName such as {@code SRP.T10:02005efffe123456}
 * @param serviceId its IB/CM service id
 * @param ioClass 0x0100 for SRP r16a
 * @param maxRequestLength bytes of the longest information unit that it takes
 * @param maxRdmaLength bytes of its longest RDMA transfer
 * @param id text for humans
 */
public record DiscoveredTarget(
        long idExtension,
        long iocGuid,
        String serviceName,
        long serviceId,
        int ioClass,
        int maxRequestLength,
        int maxRdmaLength,
        String id) {}
