package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.Gid;
import java.util.Arrays;

/**
 * What was read from a REQ, which outlives its buffer.
 *
 * @param source where it came from
 * @param transactionId the MAD's; MRA, REJ and REP repeat it
 * @param localGidIndex index of our address in the port's GID table
 * @param remoteAddress the peer's address as RDMA/CM's header tells it, else its GID
 * @param consumerData private data without RDMA/CM's header
 * @param pathMtu bytes
 */
record ReceivedReq(
        MadAddress source,
        long transactionId,
        long serviceId,
        boolean rdmaCm,
        int communicationId,
        long caGuid,
        int queuePair,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int pkey,
        int pathMtu,
        int ackTimeout,
        int retryCount,
        int rnrRetryCount,
        int responseTimeout,
        int maxCmRetries,
        Gid localGid,
        int localGidIndex,
        Gid remoteGid,
        Gid remoteAddress,
        AddressVector path,
        byte[] consumerData) {
    private static final int DEFAULT_HOP_LIMIT = 64;

    /** Reads a REQ that {@link ReqCheck} found good. */
    static ReceivedReq read(ReqMessage req, MadAddress source, long transactionId, int localGidIndex, boolean rdmaCm) {
        byte[] data = req.getBytes(ReqMessage.PRIVATE_DATA_OFFSET, ReqMessage.PRIVATE_DATA_LENGTH);
        Gid remoteGid = req.primaryLocalGid();
        int hopLimit = req.hopLimit() == 0 ? DEFAULT_HOP_LIMIT : req.hopLimit();
        return new ReceivedReq(
                source,
                transactionId,
                req.serviceId(),
                rdmaCm,
                req.localCommunicationId(),
                req.localCaGuid(),
                req.localQueuePair(),
                req.startingPsn(),
                req.responderResources(),
                req.initiatorDepth(),
                req.pkey(),
                PathMtu.bytes(req.pathMtuCode()),
                req.ackTimeout(),
                req.retryCount(),
                req.rnrRetryCount(),
                req.localResponseTimeout(),
                req.maxCmRetries(),
                req.primaryRemoteGid(),
                localGidIndex,
                remoteGid,
                rdmaCm ? RdmaCmPrivateData.read(data).source() : remoteGid,
                new AddressVector(localGidIndex, remoteGid, req.flowLabel(), hopLimit, req.trafficClass()),
                rdmaCm ? Arrays.copyOfRange(data, RdmaCmPrivateData.LENGTH, data.length) : data);
    }

    /** Where messages of the connection go, and the peer's times. */
    PeerPath peerPath() {
        return new PeerPath(
                source,
                localGid,
                remoteGid,
                CmTimes.repeatNanos(responseTimeout),
                maxCmRetries,
                CmTimes.repeatNanos(ackTimeout));
    }
}
