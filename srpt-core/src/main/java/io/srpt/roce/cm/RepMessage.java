package io.srpt.roce.cm;

/**
 * REP: accepts a connection (InfiniBand Architecture Specification, volume 1, section 12.6.8).
 *
 * <pre>
 *  0 LocalCommID (4) | 4 RemoteCommID (4) | 8 LocalQ_Key (4)
 * 12 LocalQPN (3)    VendorID (1) | 16 LocalEECN (3) VendorID (1) | 20 StartingPSN (3) VendorID (1)
 * 24 ResponderResources (1) | 25 InitiatorDepth (1)
 * 26 TargetACKDelay (7..3) FailoverAccepted (2..1) EndToEndFlowControl (0)
 * 27 RNRRetryCount (7..5) SRQ (4) reserved (3..0) | 28 LocalCAGUID (8) | 36 PrivateData (196)
 * </pre>
 *
 * StartingPSN is the one that the sender of REP expects to receive first.
 */
final class RepMessage extends CmMessage<RepMessage> {
    static final int LOCAL_QPN_OFFSET = 12;
    static final int STARTING_PSN_OFFSET = 20;
    static final int RESPONDER_RESOURCES_OFFSET = 24;
    static final int INITIATOR_DEPTH_OFFSET = 25;
    static final int TARGET_ACK_DELAY_OFFSET = 26;
    static final int RNR_RETRY_OFFSET = 27;
    static final int LOCAL_CA_GUID_OFFSET = 28;
    static final int PRIVATE_DATA_OFFSET = 36;
    static final int PRIVATE_DATA_LENGTH = 196;

    @Override
    RepMessage self() {
        return this;
    }

    int remoteCommunicationId() {
        return getInt(REMOTE_COMM_ID_OFFSET);
    }

    RepMessage remoteCommunicationId(int value) {
        return putInt(REMOTE_COMM_ID_OFFSET, value);
    }

    int localQueuePair() {
        return get24(LOCAL_QPN_OFFSET);
    }

    RepMessage localQueuePair(int value) {
        return put24(LOCAL_QPN_OFFSET, value);
    }

    int startingPsn() {
        return get24(STARTING_PSN_OFFSET);
    }

    RepMessage startingPsn(int value) {
        return put24(STARTING_PSN_OFFSET, value);
    }

    int responderResources() {
        return getByte(RESPONDER_RESOURCES_OFFSET);
    }

    RepMessage responderResources(int value) {
        return putByte(RESPONDER_RESOURCES_OFFSET, value);
    }

    int initiatorDepth() {
        return getByte(INITIATOR_DEPTH_OFFSET);
    }

    RepMessage initiatorDepth(int value) {
        return putByte(INITIATOR_DEPTH_OFFSET, value);
    }

    int targetAckDelay() {
        return getBits(TARGET_ACK_DELAY_OFFSET, 3, 5);
    }

    RepMessage targetAckDelay(int value) {
        return putBits(TARGET_ACK_DELAY_OFFSET, 3, 5, value);
    }

    boolean endToEndFlowControl() {
        return getBits(TARGET_ACK_DELAY_OFFSET, 0, 1) != 0;
    }

    RepMessage endToEndFlowControl(boolean value) {
        return putBits(TARGET_ACK_DELAY_OFFSET, 0, 1, value ? 1 : 0);
    }

    int rnrRetryCount() {
        return getBits(RNR_RETRY_OFFSET, 5, 3);
    }

    RepMessage rnrRetryCount(int value) {
        return putBits(RNR_RETRY_OFFSET, 5, 3, value);
    }

    boolean sharedReceiveQueue() {
        return getBits(RNR_RETRY_OFFSET, 4, 1) != 0;
    }

    RepMessage sharedReceiveQueue(boolean value) {
        return putBits(RNR_RETRY_OFFSET, 4, 1, value ? 1 : 0);
    }

    long localCaGuid() {
        return getLong(LOCAL_CA_GUID_OFFSET);
    }

    RepMessage localCaGuid(long value) {
        return putLong(LOCAL_CA_GUID_OFFSET, value);
    }
}
