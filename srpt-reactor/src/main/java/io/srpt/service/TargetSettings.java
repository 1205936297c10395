package io.srpt.service;

import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.target.ChannelAttributes;
import io.srpt.target.TargetConfig;
import io.srpt.verbs.DeviceAttributes;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a target grants and tells, with the names and defaults of the Linux driver's parameters.
 *
 * @param maxRequestLength {@code srp_max_req_size}: longest unit from an initiator in bytes
 * @param sharedReceiveQueueSize {@code srpt_srq_size}: receives that channels share, if they do
 * @param attributes what can be changed at run time, as it is at first
 * @param asyncEvents whether initiators hear of unit attentions at once, by SRP_AER_REQ
 * @param targetLogout whether SRP_T_LOGOUT is sent before a session is ended
 * @param identification what discovery shows to humans, up to 63 bytes of UTF-8
 * @param ports what is special about some ports
 * @param alua how well disks are reached through which addresses
 */
public record TargetSettings(
        int maxRequestLength,
        int sharedReceiveQueueSize,
        ChannelAttributes attributes,
        boolean asyncEvents,
        boolean targetLogout,
        String identification,
        List<PortSettings> ports,
        AluaSettings alua) {
    /** All by default. */
    public static final TargetSettings DEFAULT = new TargetSettings(
            IoControllerDescription.DEFAULT_MAX_REQUEST_LENGTH,
            4095,
            ChannelAttributes.DEFAULT,
            false,
            false,
            IoControllerDescription.DEFAULT_ID,
            List.of(),
            AluaSettings.NONE);

    public TargetSettings {
        ports = List.copyOf(ports);
    }

    /** For a target with this identity that listens on an RDMA/CM port and perhaps for plain IB/CM. */
    TargetConfig config(long serviceGuid, int rdmaCmPort, boolean ibCm) {
        return TargetConfig.builder(serviceGuid)
                .rdmaCmPort(rdmaCmPort)
                .ibCm(ibCm)
                .maxRequestLength(maxRequestLength)
                .sharedReceiveQueueSize(sharedReceiveQueueSize)
                .attributes(attributes)
                .asyncEvents(asyncEvents)
                .targetLogout(targetLogout)
                .build();
    }

    /** What discovery tells of a target that is configured so. */
    static IoControllerDescription describe(TargetConfig config, String identification, DeviceAttributes device) {
        ChannelAttributes attributes = config.attributes();
        int depth = attributes.sharedReceives()
                ? config.sharedReceiveQueueSize()
                : Math.min(config.requestLimit(), device.maxQueuePairRequests());
        return new IoControllerDescription(
                config.serviceGuid(),
                identification,
                device.vendorId(),
                device.vendorPartId(),
                device.hardwareVersion(),
                config.maxRequestLength(),
                attributes.maxRdmaLength(),
                depth);
    }

    /** What is special about the port with these addresses, null if nothing is. */
    @Nullable
    PortSettings port(List<InetAddress> addresses) {
        return ports.stream()
                .filter(port -> addresses.contains(port.address()))
                .findFirst()
                .orElse(null);
    }
}
