package io.srpt.target;

/**
 * What an operator may change about the channels of a port while it runs; logins that come later have it. The names and
 * ranges are those of the Linux driver's {@code attrib} files.
 *
 * @param maxRdmaLength {@code srp_max_rdma_size}: the longest RDMA transfer in bytes that discovery tells of, 65536 to 2^24
 * @param maxResponseLength {@code srp_max_rsp_size}: longest unit to an initiator in bytes, 40 to 1024
 * @param sendQueueSize {@code srp_sq_size}: twice the work requests of a channel's send queue, 16 to 65535, as the driver counts them; the
 *     device may grant fewer
 * @param sharedReceives {@code use_srq}: whether all channels take their receives from one queue. There is no immediate data
 *     then, and a burst of many initiators may see receiver-not-ready NAKs. A change ends all channels of the port
 */
public record ChannelAttributes(int maxRdmaLength, int maxResponseLength, int sendQueueSize, boolean sharedReceives) {
    /** The smallest {@link #maxRdmaLength}. */
    public static final int MIN_RDMA_LENGTH = 1 << 16;

    /** The largest {@link #maxRdmaLength}. */
    public static final int MAX_RDMA_LENGTH = 1 << 24;

    /** The shortest {@link #maxResponseLength}: a task management response. */
    public static final int MIN_RESPONSE_LENGTH = 40;

    /** The longest {@link #maxResponseLength}. */
    public static final int MAX_RESPONSE_LENGTH = 1024;

    /** The smallest {@link #sendQueueSize}. */
    public static final int MIN_SEND_QUEUE_SIZE = 16;

    /** The largest {@link #sendQueueSize}. */
    public static final int MAX_SEND_QUEUE_SIZE = 0xFFFF;

    /** The driver's. */
    public static final ChannelAttributes DEFAULT = new ChannelAttributes(MIN_RDMA_LENGTH, 256, 4096, false);

    /** Checks the values; throws IllegalArgumentException that names the wrong one. */
    public ChannelAttributes {
        require(maxRdmaLength, MIN_RDMA_LENGTH, MAX_RDMA_LENGTH, "maxRdmaLength");
        require(maxResponseLength, MIN_RESPONSE_LENGTH, MAX_RESPONSE_LENGTH, "maxResponseLength");
        require(sendQueueSize, MIN_SEND_QUEUE_SIZE, MAX_SEND_QUEUE_SIZE, "sendQueueSize");
    }

    private static void require(int value, int least, int most, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " " + value + " is out of range, which is " + least + " to " + most);
        }
    }

    public ChannelAttributes withMaxRdmaLength(int bytes) {
        return new ChannelAttributes(bytes, maxResponseLength, sendQueueSize, sharedReceives);
    }

    public ChannelAttributes withMaxResponseLength(int bytes) {
        return new ChannelAttributes(maxRdmaLength, bytes, sendQueueSize, sharedReceives);
    }

    public ChannelAttributes withSendQueueSize(int workRequests) {
        return new ChannelAttributes(maxRdmaLength, maxResponseLength, workRequests, sharedReceives);
    }

    public ChannelAttributes withSharedReceives(boolean shared) {
        return new ChannelAttributes(maxRdmaLength, maxResponseLength, sendQueueSize, shared);
    }
}
