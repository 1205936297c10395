package io.srpt.target;

import io.srpt.srp.LoginRequest;

/**
 * What a target is and how much it grants. The defaults are those of the Linux driver where it has them.
 *
 * @param serviceGuid identity of the target: service id of IB/CM, and both halves of the target port identifier
 * @param rdmaCmPort TCP-space port of RDMA/CM to listen on, 0 for none
 * @param ibCm whether to listen on the plain IB/CM service id, the service GUID
 * @param maxRequestLength longest unit from an initiator in bytes
 * @param maxResponseLength longest unit to an initiator in bytes
 * @param requestLimit credits of a channel: commands that an initiator may have outstanding
 * @param sendQueueSize work requests of a channel's send queue
 * @param maxReads RDMA READs that a channel may have outstanding, at most what device and initiator allow
 * @param maxChannels channels of a port
 * @param dataBufferBytes the most memory for data in flight, of a port
 * @param maxTransferLength the most bytes that one command may move
 */
public record TargetConfig(
        long serviceGuid,
        int rdmaCmPort,
        boolean ibCm,
        int maxRequestLength,
        int maxResponseLength,
        int requestLimit,
        int sendQueueSize,
        int maxReads,
        int maxChannels,
        long dataBufferBytes,
        int maxTransferLength) {
    /** The shortest {@link #maxRequestLength} that is of use. */
    public static final int MIN_REQUEST_LENGTH = 996;

    /** The shortest {@link #maxResponseLength}: a task management response. */
    public static final int MIN_RESPONSE_LENGTH = 40;

    /** The smallest {@link #sendQueueSize}. */
    public static final int MIN_SEND_QUEUE_SIZE = 16;

    /** Checks the values; throws IllegalArgumentException that names the wrong one. */
    public TargetConfig {
        require(serviceGuid != 0, "serviceGuid", serviceGuid);
        require(rdmaCmPort >= 0 && rdmaCmPort <= 0xFFFF, "rdmaCmPort", rdmaCmPort);
        require(rdmaCmPort != 0 || ibCm, "rdmaCmPort", rdmaCmPort);
        require(
                maxRequestLength >= MIN_REQUEST_LENGTH && maxRequestLength <= 1 << 20,
                "maxRequestLength",
                maxRequestLength);
        require(
                maxResponseLength >= MIN_RESPONSE_LENGTH && maxResponseLength <= 1024,
                "maxResponseLength",
                maxResponseLength);
        require(requestLimit >= 1 && requestLimit <= 4096, "requestLimit", requestLimit);
        require(sendQueueSize >= MIN_SEND_QUEUE_SIZE && sendQueueSize <= 0xFFFF, "sendQueueSize", sendQueueSize);
        require(maxReads >= 1 && maxReads <= 255, "maxReads", maxReads);
        require(maxChannels >= 1, "maxChannels", maxChannels);
        require(maxTransferLength >= 1 << 16, "maxTransferLength", maxTransferLength);
        require(dataBufferBytes >= maxTransferLength, "dataBufferBytes", dataBufferBytes);
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
        private int maxResponseLength = 256;
        private int requestLimit = 128;
        private int sendQueueSize = 1024;
        private int maxReads = 16;
        private int maxChannels = 1024;
        private long dataBufferBytes = 64 << 20;
        private int maxTransferLength = 16 << 20;

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

        public Builder maxResponseLength(int bytes) {
            maxResponseLength = bytes;
            return this;
        }

        public Builder requestLimit(int credits) {
            requestLimit = credits;
            return this;
        }

        public Builder sendQueueSize(int workRequests) {
            sendQueueSize = workRequests;
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

        public TargetConfig build() {
            return new TargetConfig(
                    serviceGuid,
                    rdmaCmPort,
                    ibCm,
                    maxRequestLength,
                    maxResponseLength,
                    requestLimit,
                    sendQueueSize,
                    maxReads,
                    maxChannels,
                    dataBufferBytes,
                    maxTransferLength);
        }
    }
}
