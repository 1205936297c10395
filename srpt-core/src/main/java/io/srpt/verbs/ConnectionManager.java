package io.srpt.verbs;

/**
 * Makes and ends reliable connections of one port. Both private-data forms are served: a service id of RDMA/CM's TCP
 * port space carries an IP header in front of the consumer's private data (stripped here), others are plain IB/CM.
 *
 * <p>Threads: the port's loop; every callback comes on it too.
 */
public interface ConnectionManager {
    /** The service id of RDMA/CM's TCP port space for {@code port}. */
    static long rdmaCmServiceId(int port) {
        return 0x0000_0000_0106_0000L | port;
    }

    /** Whether {@code serviceId} belongs to RDMA/CM's TCP port space. */
    static boolean isRdmaCmServiceId(long serviceId) {
        return (serviceId & ~0xFFFFL) == 0x0000_0000_0106_0000L;
    }

    /**
     * Offers connection requests for {@code serviceId} to {@code handler}. Throws if the id is taken or the provider has
     * no such service. Closing the result refuses further requests with REJ reason 8; connections stay.
     */
    Listener listen(long serviceId, ConnectionRequestHandler handler) throws VerbsException;

    /**
     * Asks {@code parameters.destination()} for a connection. The queue pair is made by the caller in RESET and moved by
     * the connection manager. The outcome comes to {@code handler}.
     */
    Connection connect(ConnectParameters parameters, QueuePair queuePair, ConnectionHandler handler)
            throws VerbsException;

    /** A service id that is being offered. */
    interface Listener extends AutoCloseable {
        @Override
        void close();
    }

    /** Who decides on connection requests. */
    @FunctionalInterface
    interface ConnectionRequestHandler {
        /**
         * A peer asks for a connection. Call {@link ConnectionRequest#accept} or {@link ConnectionRequest#reject} now or
         * later; duplicates of the request are absorbed meanwhile.
         */
        void onConnectionRequest(ConnectionRequest request);
    }

    /**
     * What the active side asks for.
     *
     * @param sourceGidIndex our address in the port's GID table
     * @param destination the peer's GID
     * @param serviceId the service
     * @param privateData up to 92 bytes, up to 56 for an RDMA/CM service id
     * @param pathMtu path MTU in bytes to ask for
     * @param responderResources RDMA READs that the peer may have outstanding here
     * @param initiatorDepth RDMA READs that we want to have outstanding there
     * @param retryCount retries that the peer's queue pair should make, 0 to 7
     * @param rnrRetryCount RNR retries that the peer's queue pair should make, 7 is without end
     * @param ackTimeout ACK timeout exponent for both sides
     */
    record ConnectParameters(
            int sourceGidIndex,
            Gid destination,
            long serviceId,
            byte[] privateData,
            int pathMtu,
            int responderResources,
            int initiatorDepth,
            int retryCount,
            int rnrRetryCount,
            int ackTimeout) {}
}
