package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.RejectReason;
import java.nio.ByteBuffer;

/**
 * Writes and sends messages. One message is in the making at a time: {@link #begin}, fill, {@link #send}. What must be
 * repeated with the same bytes is kept by the caller as the array that {@link #image()} returns.
 *
 * <p>Threads: the port's loop.
 */
final class CmWire {
    static final int CLASS_VERSION = 2;

    private static final byte[] NOTHING = {};

    private final MadAgent agent;
    private final CmCounters counters;
    private final ByteBuffer scratch = ByteBuffer.allocate(MadHeader.MAD_LENGTH);
    private final MadHeader header = new MadHeader();
    private final RejMessage rej = new RejMessage();
    private final MraMessage mra = new MraMessage();
    private final RtuMessage rtu = new RtuMessage();

    CmWire(MadAgent agent, CmCounters counters) {
        this.agent = agent;
        this.counters = counters;
    }

    long nextTransactionId() {
        return agent.nextTransactionId();
    }

    /** Starts a message, all zero behind its MAD header, and returns the buffer that holds it. */
    ByteBuffer begin(CmMessageType type, long transactionId) {
        for (int i = 0; i < MadHeader.MAD_LENGTH; i += Long.BYTES) {
            scratch.putLong(i, 0);
        }
        header.wrap(scratch, 0)
                .put(
                        MadHeader.CLASS_COMMUNICATION_MANAGEMENT,
                        CLASS_VERSION,
                        MadHeader.METHOD_SEND,
                        transactionId,
                        type.attributeId(),
                        0);
        return scratch;
    }

    /** A copy of the message in the making. */
    byte[] image() {
        return scratch.array().clone();
    }

    /** Sends the message in the making. */
    void send(CmMessageType type, MadAddress to) {
        send(type, scratch.array(), to);
    }

    /** Sends a message made before. */
    void send(CmMessageType type, byte[] image, MadAddress to) {
        MadBuffer buffer = agent.allocate();
        if (buffer == null) {
            counters.sendFailures.increment();
            return;
        }
        buffer.buffer().put(MadBuffer.MAD_OFFSET, image);
        if (agent.send(buffer, to) == PostResult.OK) {
            counters.sent(type).increment();
        } else {
            counters.sendFailures.increment();
        }
    }

    /**
     * Sends REJ.
     *
     * @param message which message is refused, one of {@link CmMessage}'s MESSAGE values
     * @param info additional reject information, up to 72 bytes
     */
    void reject(
            MadAddress to,
            long transactionId,
            int localId,
            int remoteId,
            int message,
            RejectReason reason,
            byte[] info,
            byte[] privateData) {
        rej.wrap(begin(CmMessageType.REJ, transactionId), MadHeader.LENGTH)
                .localCommunicationId(localId)
                .remoteCommunicationId(remoteId)
                .message(message)
                .infoLength(info.length)
                .reason(reason.code())
                .putBytes(RejMessage.INFO_OFFSET, info)
                .putBytes(RejMessage.PRIVATE_DATA_OFFSET, privateData);
        counters.rejectsSent(reason).increment();
        send(CmMessageType.REJ, to);
    }

    /** Refuses a REQ without more words. */
    void rejectReq(MadAddress to, long transactionId, int remoteId, RejectReason reason) {
        reject(to, transactionId, 0, remoteId, CmMessage.MESSAGE_REQ, reason, NOTHING, NOTHING);
    }

    /** Sends REJ 4, which carries the GUID of its sender for peers that do not know its id yet. */
    void rejectTimeout(MadAddress to, long transactionId, int localId, int remoteId, long nodeGuid) {
        byte[] guid = ByteBuffer.allocate(Long.BYTES).putLong(0, nodeGuid).array();
        reject(to, transactionId, localId, remoteId, CmMessage.MESSAGE_OTHER, RejectReason.TIMEOUT, guid, NOTHING);
    }

    /** Tells that the answer to REQ takes longer. */
    void acknowledgeReq(MadAddress to, long transactionId, int localId, int remoteId) {
        mra.wrap(begin(CmMessageType.MRA, transactionId), MadHeader.LENGTH)
                .localCommunicationId(localId)
                .remoteCommunicationId(remoteId)
                .message(CmMessage.MESSAGE_REQ)
                .serviceTimeout(CmTimes.MAX_SERVICE_EXPONENT);
        send(CmMessageType.MRA, to);
    }

    void ready(MadAddress to, long transactionId, int localId, int remoteId) {
        idsOnly(CmMessageType.RTU, to, transactionId, localId, remoteId);
    }

    void disconnectReply(MadAddress to, long transactionId, int localId, int remoteId) {
        idsOnly(CmMessageType.DREP, to, transactionId, localId, remoteId);
    }

    private void idsOnly(CmMessageType type, MadAddress to, long transactionId, int localId, int remoteId) {
        rtu.wrap(begin(type, transactionId), MadHeader.LENGTH)
                .localCommunicationId(localId)
                .remoteCommunicationId(remoteId);
        send(type, to);
    }
}
