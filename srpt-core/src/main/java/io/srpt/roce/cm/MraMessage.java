package io.srpt.roce.cm;

/**
 * MRA: the other message came, its answer takes longer (InfiniBand Architecture Specification, volume 1, section 12.6.6).
 *
 * <pre>
 * 0 LocalCommID (4) | 4 RemoteCommID (4) | 8 MessageMRAed (7..6) | 9 ServiceTimeout (7..3) | 10 PrivateData (222)
 * </pre>
 */
final class MraMessage extends CmMessage<MraMessage> {
    static final int MESSAGE_OFFSET = 8;
    static final int SERVICE_TIMEOUT_OFFSET = 9;

    @Override
    MraMessage self() {
        return this;
    }

    int remoteCommunicationId() {
        return getInt(REMOTE_COMM_ID_OFFSET);
    }

    MraMessage remoteCommunicationId(int value) {
        return putInt(REMOTE_COMM_ID_OFFSET, value);
    }

    /** One of MESSAGE_REQ, MESSAGE_REP, MESSAGE_OTHER. */
    int message() {
        return getBits(MESSAGE_OFFSET, 6, 2);
    }

    MraMessage message(int value) {
        return putBits(MESSAGE_OFFSET, 6, 2, value);
    }

    int serviceTimeout() {
        return getBits(SERVICE_TIMEOUT_OFFSET, 3, 5);
    }

    MraMessage serviceTimeout(int value) {
        return putBits(SERVICE_TIMEOUT_OFFSET, 3, 5, value);
    }
}
