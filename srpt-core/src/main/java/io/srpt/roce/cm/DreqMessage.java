package io.srpt.roce.cm;

/**
 * DREQ: ends a connection (InfiniBand Architecture Specification, volume 1, section 12.6.10).
 *
 * <pre>
 * 0 LocalCommID (4) | 4 RemoteCommID (4) | 8 RemoteQPN (3) reserved (1) | 12 PrivateData (220)
 * </pre>
 */
final class DreqMessage extends CmMessage<DreqMessage> {
    static final int REMOTE_QPN_OFFSET = 8;

    @Override
    DreqMessage self() {
        return this;
    }

    int remoteCommunicationId() {
        return getInt(REMOTE_COMM_ID_OFFSET);
    }

    DreqMessage remoteCommunicationId(int value) {
        return putInt(REMOTE_COMM_ID_OFFSET, value);
    }

    int remoteQueuePair() {
        return get24(REMOTE_QPN_OFFSET);
    }

    DreqMessage remoteQueuePair(int value) {
        return put24(REMOTE_QPN_OFFSET, value);
    }
}
