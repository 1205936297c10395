package io.srpt.target;

import io.srpt.srp.LoginRequest;
import java.time.Duration;

/**
 * What a target is and how much it grants. The defaults are those of the Linux driver where it has them.
 *
 * @param serviceGuid identity of the target: service id of IB/CM, and both halves of the target port identifier
 * @param rdmaCmPort TCP-space port of RDMA/CM to listen on, 0 for none
 * @param ibCm whether to listen on the plain IB/CM service id, the service GUID
 * @param maxRequestLength longest unit from an initiator in bytes
 * @param attributes what may change while the target runs, as it is at first
 * @param requestLimit credits of a channel: commands that an initiator may have outstanding
 * @param sharedReceiveQueueSize {@code srpt_srq_size}: receives that all channels of a port share, if the attributes say so
 * @param maxReads RDMA READs that a channel may have outstanding, at most what device and initiator allow
 * @param maxChannels channels of a port
 * @param dataBufferBytes the most memory for data in flight, of a port
 * @param maxTransferLength the most bytes that one command may move
 * @param closeTimeoutNanos how long the end of a channel waits for the store
 * @param asyncEvents whether initiators hear of unit attentions at once, by SRP_AER_REQ; Linux answers it and does no more
 * @param targetLogout whether SRP_T_LOGOUT is sent before a channel is ended; Linux only logs it
 */
public record TargetConfig(
        long serviceGuid,
        int rdmaCmPort,
        boolean ibCm,
        int maxRequestLength,
        ChannelAttributes attributes,
        int requestLimit,
        int sharedReceiveQueueSize,
        int maxReads,
        int maxChannels,
        long dataBufferBytes,
        int maxTransferLength,
        long closeTimeoutNanos,
        boolean asyncEvents,
        boolean targetLogout) {
    /** The shortest {@link #maxRequestLength} that is of use. */
    public static final int MIN_REQUEST_LENGTH = 996;

    /** The smallest {@link #sharedReceiveQueueSize}. */
    public static final int MIN_SHARED_RECEIVES = 4;

    /** The largest {@link #sharedReceiveQueueSize}. */
    public static final int MAX_SHARED_RECEIVES = 0xFFFF;

    /** Checks the values; throws IllegalArgumentException that names the wrong one. */
    public TargetConfig {
        require(serviceGuid != 0, "serviceGuid", serviceGuid);
        require(rdmaCmPort >= 0 && rdmaCmPort <= 0xFFFF, "rdmaCmPort", rdmaCmPort);
        require(rdmaCmPort != 0 || ibCm, "rdmaCmPort", rdmaCmPort);
        require(
                maxRequestLength >= MIN_REQUEST_LENGTH && maxRequestLength <= 1 << 20,
                "maxRequestLength",
                maxRequestLength);
        require(requestLimit >= 1 && requestLimit <= 4096, "requestLimit", requestLimit);
        require(
                sharedReceiveQueueSize >= MIN_SHARED_RECEIVES && sharedReceiveQueueSize <= MAX_SHARED_RECEIVES,
                "sharedReceiveQueueSize",
                sharedReceiveQueueSize);
        require(maxReads >= 1 && maxReads <= 255, "maxReads", maxReads);
        require(maxChannels >= 1, "maxChannels", maxChannels);
        require(maxTransferLength >= 1 << 16, "maxTransferLength", maxTransferLength);
        require(dataBufferBytes >= maxTransferLength, "dataBufferBytes", dataBufferBytes);
        require(closeTimeoutNanos > 0, "closeTimeoutNanos", closeTimeoutNanos);
    }

    private static void require(boolean condition, String name, long value) {
        if (!condition) {
            throw new IllegalArgumentException(name + " " + value + " is out of range");
        }
    }

    /** The defaults for a target with this identity. */
    public static Builder builder(long serviceGuid) {
        return new Builder(serviceGuid);
    }

    /** All values, to change some. */
    public Builder toBuilder() {
        return new Builder(serviceGuid)
                .rdmaCmPort(rdmaCmPort)
                .ibCm(ibCm)
                .maxRequestLength(maxRequestLength)
                .attributes(attributes)
                .requestLimit(requestLimit)
                .sharedReceiveQueueSize(sharedReceiveQueueSize)
                .maxReads(maxReads)
                .maxChannels(maxChannels)
                .dataBufferBytes(dataBufferBytes)
                .maxTransferLength(maxTransferLength)
                .closeTimeout(Duration.ofNanos(closeTimeoutNanos))
                .asyncEvents(asyncEvents)
                .targetLogout(targetLogout);
    }

    /** Whether {@code length} is a unit length that a login may ask for. */
    boolean allowsRequestLength(long length) {
        return length >= LoginRequest.LENGTH && length <= maxRequestLength;
    }

    /** Collects the values that differ from the defaults. */
    public static final class Builder {
        private final long serviceGuid;
        private int rdmaCmPort;
        private boolean ibCm = true;
        private int maxRequestLength = 8276;
        private ChannelAttributes attributes = ChannelAttributes.DEFAULT;
        private int requestLimit = 128;
        private int sharedReceiveQueueSize = 4095;
        private int maxReads = 16;
        private int maxChannels = 1024;
        private long dataBufferBytes = 64 << 20;
        private int maxTransferLength = 16 << 20;
        private Duration closeTimeout = Duration.ofSeconds(5);
        private boolean asyncEvents;
        private boolean targetLogout;

        private Builder(long serviceGuid) {
            this.serviceGuid = serviceGuid;
        }

        public Builder rdmaCmPort(int port) {
            rdmaCmPort = port;
            return this;
        }

        public Builder ibCm(boolean listen) {
            ibCm = listen;
            return this;
        }

        public Builder maxRequestLength(int bytes) {
            maxRequestLength = bytes;
            return this;
        }

        public Builder attributes(ChannelAttributes all) {
            attributes = all;
            return this;
        }

        public Builder maxResponseLength(int bytes) {
            attributes = attributes.withMaxResponseLength(bytes);
            return this;
        }

        public Builder requestLimit(int credits) {
            requestLimit = credits;
            return this;
        }

        public Builder sendQueueSize(int workRequests) {
            attributes = attributes.withSendQueueSize(workRequests);
            return this;
        }

        public Builder sharedReceives(boolean shared) {
            attributes = attributes.withSharedReceives(shared);
            return this;
        }

        public Builder sharedReceiveQueueSize(int receives) {
            sharedReceiveQueueSize = receives;
            return this;
        }

        public Builder maxReads(int reads) {
            maxReads = reads;
            return this;
        }

        public Builder maxChannels(int channels) {
            maxChannels = channels;
            return this;
        }

        public Builder dataBufferBytes(long bytes) {
            dataBufferBytes = bytes;
            return this;
        }

        public Builder maxTransferLength(int bytes) {
            maxTransferLength = bytes;
            return this;
        }

        public Builder closeTimeout(Duration time) {
            closeTimeout = time;
            return this;
        }

        public Builder asyncEvents(boolean send) {
            asyncEvents = send;
            return this;
        }

        public Builder targetLogout(boolean send) {
            targetLogout = send;
            return this;
        }

        public TargetConfig build() {
            return new TargetConfig(
                    serviceGuid,
                    rdmaCmPort,
                    ibCm,
                    maxRequestLength,
                    attributes,
                    requestLimit,
                    sharedReceiveQueueSize,
                    maxReads,
                    maxChannels,
                    dataBufferBytes,
                    maxTransferLength,
                    closeTimeout.toNanos(),
                    asyncEvents,
                    targetLogout);
        }
    }
}
