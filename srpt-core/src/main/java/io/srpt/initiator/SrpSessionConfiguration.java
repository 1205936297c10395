package io.srpt.initiator;

import io.srpt.verbs.Gid;

/**
 * What a session asks for. Lengths are bytes.
 *
 * @param sourceGidIndex our address in the port's GID table
 * @param destination the target port's GID
 * @param serviceId RDMA/CM service id of a port number, or the target's IB/CM service id
 * @param initiatorExtension first half of the initiator port id
 * @param initiatorGuid second half of the initiator port id
 * @param idExtension first half of the target port id
 * @param iocGuid second half of the target port id
 * @param queueDepth command slots
 * @param maxTransferLength size of each slot's data buffer
 * @param maxDescriptors indirect descriptors a command may use; 0 for direct ones only
 * @param immediateData whether to ask for immediate data
 * @param multiChannel whether to keep other channels of this nexus (multichannel action MULTI) or end them
 * @param pathMtu path MTU to ask for, 0 for the port's
 * @param readDepth RDMA READs that the target may have in flight here
 * @param ackTimeout local ACK timeout exponent
 * @param retryCount transport retries
 * @param commandTimeoutNanos after which an unanswered command ends the session; 0 for never
 */
public record SrpSessionConfiguration(
        int sourceGidIndex,
        Gid destination,
        long serviceId,
        long initiatorExtension,
        long initiatorGuid,
        long idExtension,
        long iocGuid,
        int queueDepth,
        int maxTransferLength,
        int maxDescriptors,
        boolean immediateData,
        boolean multiChannel,
        int pathMtu,
        int readDepth,
        int ackTimeout,
        int retryCount,
        long commandTimeoutNanos) {

    /** Checks the ranges. */
    public SrpSessionConfiguration {
        check(queueDepth >= 1 && queueDepth <= 4096, "queue depth must be 1 to 4096, is ", queueDepth);
        check(maxTransferLength >= 512, "the largest transfer must be at least 512 bytes, is ", maxTransferLength);
        check(maxDescriptors >= 0 && maxDescriptors <= 255, "descriptors must be 0 to 255, are ", maxDescriptors);
        check(readDepth >= 1 && readDepth <= 255, "the read depth must be 1 to 255, is ", readDepth);
        check((long) queueDepth * maxTransferLength <= Integer.MAX_VALUE, "data buffers exceed 2 GiB: ", queueDepth);
    }

    /** Starts from the defaults: depth 32, 64 KiB, direct descriptors, 30 s command timeout. */
    public static Builder builder() {
        return new Builder();
    }

    private static void check(boolean valid, String message, int value) {
        if (!valid) {
            throw new IllegalArgumentException(message + value);
        }
    }

    /** Collects the values; {@link #build()} checks them. */
    public static final class Builder {
        private int sourceGidIndex;
        private Gid destination = new Gid(0, 0);
        private long serviceId;
        private long initiatorExtension;
        private long initiatorGuid;
        private long idExtension;
        private long iocGuid;
        private int queueDepth = 32;
        private int maxTransferLength = 65536;
        private int maxDescriptors;
        private boolean immediateData;
        private boolean multiChannel;
        private int pathMtu;
        private int readDepth = 16;
        private int ackTimeout = 17;
        private int retryCount = 7;
        private long commandTimeoutNanos = 30_000_000_000L;

        private Builder() {}

        /** From GID table entry {@code index} to {@code gid}. */
        public Builder path(int index, Gid gid) {
            sourceGidIndex = index;
            destination = gid;
            return this;
        }

        public Builder serviceId(long id) {
            serviceId = id;
            return this;
        }

        public Builder initiatorPort(long extension, long guid) {
            initiatorExtension = extension;
            initiatorGuid = guid;
            return this;
        }

        /** The target port id: {@code id_ext} and {@code ioc_guid} of its Device Management data. */
        public Builder targetPort(long extension, long guid) {
            idExtension = extension;
            iocGuid = guid;
            return this;
        }

        public Builder queueDepth(int depth) {
            queueDepth = depth;
            return this;
        }

        public Builder maxTransferLength(int bytes) {
            maxTransferLength = bytes;
            return this;
        }

        public Builder maxDescriptors(int count) {
            maxDescriptors = count;
            return this;
        }

        public Builder immediateData(boolean wanted) {
            immediateData = wanted;
            return this;
        }

        public Builder multiChannel(boolean keepOthers) {
            multiChannel = keepOthers;
            return this;
        }

        public Builder pathMtu(int bytes) {
            pathMtu = bytes;
            return this;
        }

        public Builder readDepth(int reads) {
            readDepth = reads;
            return this;
        }

        public Builder ackTimeout(int exponent) {
            ackTimeout = exponent;
            return this;
        }

        public Builder retryCount(int count) {
            retryCount = count;
            return this;
        }

        public Builder commandTimeoutNanos(long nanos) {
            commandTimeoutNanos = nanos;
            return this;
        }

        public SrpSessionConfiguration build() {
            return new SrpSessionConfiguration(
                    sourceGidIndex,
                    destination,
                    serviceId,
                    initiatorExtension,
                    initiatorGuid,
                    idExtension,
                    iocGuid,
                    queueDepth,
                    maxTransferLength,
                    maxDescriptors,
                    immediateData,
                    multiChannel,
                    pathMtu,
                    readDepth,
                    ackTimeout,
                    retryCount,
                    commandTimeoutNanos);
        }
    }
}
