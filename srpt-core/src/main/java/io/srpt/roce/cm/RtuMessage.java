package io.srpt.roce.cm;

/**
 * RTU (ready to use), and DREP (reply to a disconnect), which is laid out the same (InfiniBand Architecture Specification,
 * volume 1, sections 12.6.9 and 12.6.11).
 *
 * <pre>
 * 0 LocalCommID (4) | 4 RemoteCommID (4) | 8 PrivateData (224)
 * </pre>
 */
final class RtuMessage extends CmMessage<RtuMessage> {

    @Override
    RtuMessage self() {
        return this;
    }

    int remoteCommunicationId() {
        return getInt(REMOTE_COMM_ID_OFFSET);
    }

    RtuMessage remoteCommunicationId(int value) {
        return putInt(REMOTE_COMM_ID_OFFSET, value);
    }
}
