package io.srpt.target;

import io.srpt.verbs.DeviceAttributes;

/**
 * The sizes of every channel of a port: what the configuration asks for, cut to what the device can do.
 *
 * @param requestLimit credits of an initiator
 * @param receives units of a channel that can be received and not yet served; more than credits, for units that cost none
 *     (answers to requests of the target)
 * @param contexts commands that can be in hand; more than credits, since a context lives until the response is confirmed
 * @param requestLength longest unit that fits a receive buffer
 * @param responseLength longest unit that fits a response buffer
 * @param sendSlots work requests of the send queue that are asked for
 * @param segments scatter-gather elements of a work request
 * @param reads RDMA READs outstanding
 * @param sharedReceives whether receives are those of the port, without immediate data
 */
record ChannelLimits(
        int requestLimit,
        int receives,
        int contexts,
        int requestLength,
        int responseLength,
        int sendSlots,
        int segments,
        int reads,
        boolean sharedReceives) {
    private static final int SPARE_RECEIVES = 4;
    private static final int MAX_SEGMENTS = 16;

    static ChannelLimits of(TargetConfig config, ChannelAttributes attributes, DeviceAttributes device) {
        int receives = Math.min(config.requestLimit() + SPARE_RECEIVES, device.maxQueuePairRequests());
        int requestLimit = Math.max(1, receives - SPARE_RECEIVES);
        return new ChannelLimits(
                requestLimit,
                receives,
                receives,
                config.maxRequestLength(),
                attributes.maxResponseLength(),
                Math.min(sendSlots(attributes), device.maxQueuePairRequests()),
                Math.clamp(device.maxSegments(), 1, MAX_SEGMENTS),
                Math.min(config.maxReads(), device.maxReads()),
                attributes.sharedReceives());
    }

    private static int sendSlots(ChannelAttributes attributes) {
        return Math.max(ChannelAttributes.MIN_SEND_QUEUE_SIZE, attributes.sendQueueSize() / 2);
    }
}
