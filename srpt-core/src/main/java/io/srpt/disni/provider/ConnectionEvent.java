package io.srpt.disni.provider;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An event of RDMA/CM, copied. Off the hot path.
 *
 * @param type of {@code enum rdma_cm_event_type}
 * @param status of a refusal its reason, of a failure minus an error number
 * @param id whom it is about
 * @param listenId of a request, who listened
 */
record ConnectionEvent(
        int type,
        int status,
        long id,
        long listenId,
        int responderResources,
        int initiatorDepth,
        int remoteQueuePair,
        int localPort,
        Gid localGid,
        Gid remoteGid,
        byte[] privateData) {
    static final int ADDRESS_RESOLVED = 0;
    static final int ADDRESS_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_RESPONSE = 5;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int TIMEWAIT_EXIT = 15;

    static ConnectionEvent of(ByteBuffer record) {
        byte[] data = new byte[record.getInt(Records.EVENT_PRIVATE_LENGTH)];
        record.get(Records.EVENT_PRIVATE_DATA, data);
        return new ConnectionEvent(
                record.getInt(0),
                record.getInt(Records.EVENT_STATUS),
                record.getLong(Records.EVENT_ID),
                record.getLong(Records.EVENT_LISTEN_ID),
                record.getInt(Records.EVENT_RESPONDER_RESOURCES),
                record.getInt(Records.EVENT_INITIATOR_DEPTH),
                record.getInt(Records.EVENT_REMOTE_QUEUE_PAIR),
                record.getInt(Records.EVENT_LOCAL_PORT),
                Records.gid(record, Records.EVENT_LOCAL_GID),
                Records.gid(record, Records.EVENT_REMOTE_GID),
                data);
    }

    /** The private data, cut or zero-padded to {@code length} bytes. */
    byte[] privateData(int length) {
        return Arrays.copyOf(privateData, length);
    }
}
