package io.srpt.roce.cm;

import io.srpt.mad.MadHeader;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;

/** Messages of a connection manager, for peers that are scripted packet by packet: made and read as 256 bytes. */
public final class CmMads {
    public static final int REQ = CmMessageType.REQ.attributeId();
    public static final int MRA = CmMessageType.MRA.attributeId();
    public static final int REJ = CmMessageType.REJ.attributeId();
    public static final int REP = CmMessageType.REP.attributeId();
    public static final int RTU = CmMessageType.RTU.attributeId();
    public static final int DREQ = CmMessageType.DREQ.attributeId();
    public static final int DREP = CmMessageType.DREP.attributeId();

    /** Where the private data of REJ is, from the start of the datagram's 256 bytes. */
    public static final int REJ_DATA = MadHeader.LENGTH + RejMessage.PRIVATE_DATA_OFFSET;

    private CmMads() {}

    /**
     * What a REQ says.
     *
     * @param id its communication id
     * @param adapter GUID of the sender's adapter
     * @param serviceId an RDMA/CM one makes the RDMA/CM header
     * @param psn the first PSN that the sender expects, so that the other side sends with it
     * @param mtuCode path MTU, 1 is 256 bytes
     */
    public record Req(
            int id,
            long adapter,
            long serviceId,
            Gid from,
            Gid to,
            int queuePair,
            int psn,
            int mtuCode,
            int retryCount,
            int ackTimeout,
            int reads,
            byte[] privateData) {}

    public static byte[] req(Req of) {
        ByteBuffer mad = begin(REQ, of.id);
        new ReqMessage()
                .wrap(mad, MadHeader.LENGTH)
                .localCommunicationId(of.id)
                .serviceId(of.serviceId)
                .localCaGuid(of.adapter)
                .localQueuePair(of.queuePair)
                .responderResources(of.reads)
                .endToEndFlowControl(true)
                .remoteResponseTimeout(20)
                .localResponseTimeout(20)
                .startingPsn(of.psn)
                .retryCount(of.retryCount)
                .rnrRetryCount(7)
                .pkey(0xFFFF)
                .pathMtuCode(of.mtuCode)
                .maxCmRetries(15)
                .primaryLocalGid(of.from)
                .primaryRemoteGid(of.to)
                .hopLimit(64)
                .ackTimeout(of.ackTimeout);
        int data = MadHeader.LENGTH + ReqMessage.PRIVATE_DATA_OFFSET;
        if (ConnectionManager.isRdmaCmServiceId(of.serviceId)) {
            new RdmaCmPrivateData(40000, of.from, of.to).write(mad, data);
            data += RdmaCmPrivateData.LENGTH;
        }
        mad.put(data, of.privateData);
        return mad.array();
    }

    /** RTU or DREP. */
    public static byte[] answer(int attribute, int id, int peerId) {
        ByteBuffer mad = begin(attribute, id);
        new RtuMessage().wrap(mad, MadHeader.LENGTH).localCommunicationId(id).remoteCommunicationId(peerId);
        return mad.array();
    }

    public static byte[] dreq(int id, int peerId, int peerQueuePair) {
        ByteBuffer mad = begin(DREQ, id);
        new DreqMessage()
                .wrap(mad, MadHeader.LENGTH)
                .localCommunicationId(id)
                .remoteCommunicationId(peerId)
                .remoteQueuePair(peerQueuePair);
        return mad.array();
    }

    public static byte[] rej(int id, int peerId, int reason) {
        ByteBuffer mad = begin(REJ, id);
        new RejMessage()
                .wrap(mad, MadHeader.LENGTH)
                .localCommunicationId(id)
                .remoteCommunicationId(peerId)
                .message(CmMessage.MESSAGE_REP)
                .reason(reason);
        return mad.array();
    }

    public static int attribute(byte[] mad) {
        return new MadHeader().wrap(ByteBuffer.wrap(mad), 0).attributeId();
    }

    public static int localId(byte[] mad) {
        return new RtuMessage().wrap(ByteBuffer.wrap(mad), MadHeader.LENGTH).localCommunicationId();
    }

    public static int remoteId(byte[] mad) {
        return new RtuMessage().wrap(ByteBuffer.wrap(mad), MadHeader.LENGTH).remoteCommunicationId();
    }

    public static int repQueuePair(byte[] mad) {
        return new RepMessage().wrap(ByteBuffer.wrap(mad), MadHeader.LENGTH).localQueuePair();
    }

    /** The PSN of the first packet that the target expects. */
    public static int repPsn(byte[] mad) {
        return new RepMessage().wrap(ByteBuffer.wrap(mad), MadHeader.LENGTH).startingPsn();
    }

    public static int rejReason(byte[] mad) {
        return new RejMessage().wrap(ByteBuffer.wrap(mad), MadHeader.LENGTH).reason();
    }

    private static ByteBuffer begin(int attribute, int id) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_LENGTH);
        new MadHeader()
                .wrap(mad, 0)
                .put(
                        MadHeader.CLASS_COMMUNICATION_MANAGEMENT,
                        2,
                        MadHeader.METHOD_SEND,
                        0x7700_0000_0000L | id & 0xFFFF_FFFFL,
                        attribute,
                        0);
        return mad;
    }
}
