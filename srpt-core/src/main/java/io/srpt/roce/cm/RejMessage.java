package io.srpt.roce.cm;

/**
 * REJ: refuses or ends a connection that is being made (InfiniBand Architecture Specification, volume 1, section 12.6.7).
 *
 * <pre>
 *  0 LocalCommID (4) | 4 RemoteCommID (4) | 8 MessageREJected (7..6) | 9 RejectInfoLength (7..1)
 * 10 Reason (2)      | 12 ARI (72)        | 84 PrivateData (148)
 * </pre>
 */
final class RejMessage extends CmMessage<RejMessage> {
    static final int MESSAGE_OFFSET = 8;
    static final int INFO_LENGTH_OFFSET = 9;
    static final int REASON_OFFSET = 10;
    static final int INFO_OFFSET = 12;
    static final int INFO_LENGTH_MAX = 72;
    static final int PRIVATE_DATA_OFFSET = 84;
    static final int PRIVATE_DATA_LENGTH = 148;

    @Override
    RejMessage self() {
        return this;
    }

    int remoteCommunicationId() {
        return getInt(REMOTE_COMM_ID_OFFSET);
    }

    RejMessage remoteCommunicationId(int value) {
        return putInt(REMOTE_COMM_ID_OFFSET, value);
    }

    /** One of MESSAGE_REQ, MESSAGE_REP, MESSAGE_OTHER. */
    int message() {
        return getBits(MESSAGE_OFFSET, 6, 2);
    }

    RejMessage message(int value) {
        return putBits(MESSAGE_OFFSET, 6, 2, value);
    }

    /** Bytes of additional reject information; not checked against its maximum of 72. */
    int infoLength() {
        return getBits(INFO_LENGTH_OFFSET, 1, 7);
    }

    RejMessage infoLength(int value) {
        return putBits(INFO_LENGTH_OFFSET, 1, 7, value);
    }

    int reason() {
        return getShort(REASON_OFFSET);
    }

    RejMessage reason(int value) {
        return putShort(REASON_OFFSET, value);
    }
}
