package io.srpt.roce.cm;

import io.srpt.verbs.Gid;

/**
 * REQ: asks for a connection (InfiniBand Architecture Specification, volume 1, section 12.6.5).
 *
 * <pre>
 *  0 LocalCommID (4) | 4 reserved (1), VendorID (3) | 8 ServiceID (8) | 16 LocalCAGUID (8)
 * 24 reserved (4)    | 28 LocalQ_Key (4)
 * 32 LocalQPN (3) ResponderResources (1)  | 36 LocalEECN (3) InitiatorDepth (1)
 * 40 RemoteEECN (3) | 43 RemoteCMResponseTimeout (7..3) TransportServiceType (2..1) EndToEndFlowControl (0)
 * 44 StartingPSN (3) | 47 LocalCMResponseTimeout (7..3) RetryCount (2..0)
 * 48 P_Key (2)      | 50 PathPacketPayloadMTU (7..4) RDCExists (3) RNRRetryCount (2..0)
 * 51 MaxCMRetries (7..4) SRQ (3) ExtendedTransportType (2..0)
 * 52 PrimaryLocalPortLID (2) | 54 PrimaryRemotePortLID (2)
 * 56 PrimaryLocalPortGID (16) | 72 PrimaryRemotePortGID (16)
 * 88 PrimaryFlowLabel (20 bits) reserved (6) PrimaryPacketRate (6)
 * 92 TrafficClass (1) | 93 HopLimit (1) | 94 SL (7..4) SubnetLocal (3) | 95 PrimaryLocalACKTimeout (7..3)
 * 96 alternate path, laid out as 52 to 95 | 140 PrivateData (92)
 * </pre>
 *
 * StartingPSN is the one that the sender of REQ expects to receive first.
 */
final class ReqMessage extends CmMessage<ReqMessage> {
    static final int PRIVATE_DATA_OFFSET = 140;
    static final int PRIVATE_DATA_LENGTH = 92;
    static final int SERVICE_ID_OFFSET = 8;
    static final int LOCAL_CA_GUID_OFFSET = 16;
    static final int LOCAL_QPN_OFFSET = 32;
    static final int RESPONDER_RESOURCES_OFFSET = 35;
    static final int INITIATOR_DEPTH_OFFSET = 39;
    static final int REMOTE_TIMEOUT_OFFSET = 43;
    static final int STARTING_PSN_OFFSET = 44;
    static final int LOCAL_TIMEOUT_OFFSET = 47;
    static final int PKEY_OFFSET = 48;
    static final int PATH_MTU_OFFSET = 50;
    static final int MAX_CM_RETRIES_OFFSET = 51;
    static final int PRIMARY_LOCAL_LID_OFFSET = 52;
    static final int PRIMARY_REMOTE_LID_OFFSET = 54;
    static final int PRIMARY_LOCAL_GID_OFFSET = 56;
    static final int PRIMARY_REMOTE_GID_OFFSET = 72;
    static final int FLOW_LABEL_OFFSET = 88;
    static final int TRAFFIC_CLASS_OFFSET = 92;
    static final int HOP_LIMIT_OFFSET = 93;
    static final int ACK_TIMEOUT_OFFSET = 95;

    @Override
    ReqMessage self() {
        return this;
    }

    long serviceId() {
        return getLong(SERVICE_ID_OFFSET);
    }

    ReqMessage serviceId(long value) {
        return putLong(SERVICE_ID_OFFSET, value);
    }

    long localCaGuid() {
        return getLong(LOCAL_CA_GUID_OFFSET);
    }

    ReqMessage localCaGuid(long value) {
        return putLong(LOCAL_CA_GUID_OFFSET, value);
    }

    int localQueuePair() {
        return get24(LOCAL_QPN_OFFSET);
    }

    ReqMessage localQueuePair(int value) {
        return put24(LOCAL_QPN_OFFSET, value);
    }

    int responderResources() {
        return getByte(RESPONDER_RESOURCES_OFFSET);
    }

    ReqMessage responderResources(int value) {
        return putByte(RESPONDER_RESOURCES_OFFSET, value);
    }

    int initiatorDepth() {
        return getByte(INITIATOR_DEPTH_OFFSET);
    }

    ReqMessage initiatorDepth(int value) {
        return putByte(INITIATOR_DEPTH_OFFSET, value);
    }

    /** Exponent: the sender expects an answer within 4.096 us times 2 to it. */
    int remoteResponseTimeout() {
        return getBits(REMOTE_TIMEOUT_OFFSET, 3, 5);
    }

    ReqMessage remoteResponseTimeout(int value) {
        return putBits(REMOTE_TIMEOUT_OFFSET, 3, 5, value);
    }

    /** 0 is RC, 1 UC, 2 RD, 3 an extended type. */
    int transportType() {
        return getBits(REMOTE_TIMEOUT_OFFSET, 1, 2);
    }

    ReqMessage transportType(int value) {
        return putBits(REMOTE_TIMEOUT_OFFSET, 1, 2, value);
    }

    boolean endToEndFlowControl() {
        return getBits(REMOTE_TIMEOUT_OFFSET, 0, 1) != 0;
    }

    ReqMessage endToEndFlowControl(boolean value) {
        return putBits(REMOTE_TIMEOUT_OFFSET, 0, 1, value ? 1 : 0);
    }

    int startingPsn() {
        return get24(STARTING_PSN_OFFSET);
    }

    ReqMessage startingPsn(int value) {
        return put24(STARTING_PSN_OFFSET, value);
    }

    /** Exponent: the sender itself answers within 4.096 us times 2 to it. */
    int localResponseTimeout() {
        return getBits(LOCAL_TIMEOUT_OFFSET, 3, 5);
    }

    ReqMessage localResponseTimeout(int value) {
        return putBits(LOCAL_TIMEOUT_OFFSET, 3, 5, value);
    }

    int retryCount() {
        return getBits(LOCAL_TIMEOUT_OFFSET, 0, 3);
    }

    ReqMessage retryCount(int value) {
        return putBits(LOCAL_TIMEOUT_OFFSET, 0, 3, value);
    }

    int pkey() {
        return getShort(PKEY_OFFSET);
    }

    ReqMessage pkey(int value) {
        return putShort(PKEY_OFFSET, value);
    }

    /** 1 is 256 bytes, each further one the double, 5 is 4096. */
    int pathMtuCode() {
        return getBits(PATH_MTU_OFFSET, 4, 4);
    }

    ReqMessage pathMtuCode(int value) {
        return putBits(PATH_MTU_OFFSET, 4, 4, value);
    }

    int rnrRetryCount() {
        return getBits(PATH_MTU_OFFSET, 0, 3);
    }

    ReqMessage rnrRetryCount(int value) {
        return putBits(PATH_MTU_OFFSET, 0, 3, value);
    }

    int maxCmRetries() {
        return getBits(MAX_CM_RETRIES_OFFSET, 4, 4);
    }

    ReqMessage maxCmRetries(int value) {
        return putBits(MAX_CM_RETRIES_OFFSET, 4, 4, value);
    }

    boolean sharedReceiveQueue() {
        return getBits(MAX_CM_RETRIES_OFFSET, 3, 1) != 0;
    }

    ReqMessage sharedReceiveQueue(boolean value) {
        return putBits(MAX_CM_RETRIES_OFFSET, 3, 1, value ? 1 : 0);
    }

    int primaryLocalLid() {
        return getShort(PRIMARY_LOCAL_LID_OFFSET);
    }

    ReqMessage primaryLocalLid(int value) {
        return putShort(PRIMARY_LOCAL_LID_OFFSET, value);
    }

    int primaryRemoteLid() {
        return getShort(PRIMARY_REMOTE_LID_OFFSET);
    }

    ReqMessage primaryRemoteLid(int value) {
        return putShort(PRIMARY_REMOTE_LID_OFFSET, value);
    }

    /** The address of the sender of REQ. */
    Gid primaryLocalGid() {
        return getGid(PRIMARY_LOCAL_GID_OFFSET);
    }

    ReqMessage primaryLocalGid(Gid value) {
        return putGid(PRIMARY_LOCAL_GID_OFFSET, value);
    }

    /** The address asked. */
    Gid primaryRemoteGid() {
        return getGid(PRIMARY_REMOTE_GID_OFFSET);
    }

    ReqMessage primaryRemoteGid(Gid value) {
        return putGid(PRIMARY_REMOTE_GID_OFFSET, value);
    }

    int flowLabel() {
        return getInt(FLOW_LABEL_OFFSET) >>> 12;
    }

    /** Clears the packet rate that shares its word. */
    ReqMessage flowLabel(int value) {
        return putInt(FLOW_LABEL_OFFSET, value << 12);
    }

    int trafficClass() {
        return getByte(TRAFFIC_CLASS_OFFSET);
    }

    ReqMessage trafficClass(int value) {
        return putByte(TRAFFIC_CLASS_OFFSET, value);
    }

    int hopLimit() {
        return getByte(HOP_LIMIT_OFFSET);
    }

    ReqMessage hopLimit(int value) {
        return putByte(HOP_LIMIT_OFFSET, value);
    }

    int ackTimeout() {
        return getBits(ACK_TIMEOUT_OFFSET, 3, 5);
    }

    ReqMessage ackTimeout(int value) {
        return putBits(ACK_TIMEOUT_OFFSET, 3, 5, value);
    }
}
