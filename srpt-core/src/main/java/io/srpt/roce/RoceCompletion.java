package io.srpt.roce;

import io.srpt.verbs.Gid;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;

/** One entry of a {@link RoceCompletionQueue}, made once and reused. */
final class RoceCompletion implements WorkCompletion {
    private long wrId;
    private WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
    private WorkCompletionOpcode opcode = WorkCompletionOpcode.SEND;
    private int byteLength;
    private int queuePairNumber;
    private int immediate;
    private boolean hasImmediate;
    private int invalidatedKey;
    private int sourceQueuePair;
    private long sourceHigh;
    private long sourceLow;
    private int destinationGidIndex;

    RoceCompletion reset(long newWrId, WorkCompletionStatus newStatus, WorkCompletionOpcode newOpcode, int qpn) {
        wrId = newWrId;
        status = newStatus;
        opcode = newOpcode;
        queuePairNumber = qpn;
        byteLength = 0;
        immediate = 0;
        hasImmediate = false;
        invalidatedKey = 0;
        sourceQueuePair = 0;
        sourceHigh = 0;
        sourceLow = 0;
        destinationGidIndex = 0;
        return this;
    }

    RoceCompletion byteLength(int bytes) {
        byteLength = bytes;
        return this;
    }

    RoceCompletion immediate(int value) {
        immediate = value;
        hasImmediate = true;
        return this;
    }

    RoceCompletion invalidatedKey(int key) {
        invalidatedKey = key;
        return this;
    }

    RoceCompletion source(int qpn, long gidHigh, long gidLow, int gidIndex) {
        sourceQueuePair = qpn;
        sourceHigh = gidHigh;
        sourceLow = gidLow;
        destinationGidIndex = gidIndex;
        return this;
    }

    @Override
    public long wrId() {
        return wrId;
    }

    @Override
    public WorkCompletionStatus status() {
        return status;
    }

    @Override
    public WorkCompletionOpcode opcode() {
        return opcode;
    }

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public int byteLength() {
        return byteLength;
    }

    @Override
    public int queuePairNumber() {
        return queuePairNumber;
    }

    @Override
    public int immediate() {
        return immediate;
    }

    @Override
    public boolean hasImmediate() {
        return hasImmediate;
    }

    @Override
    public int invalidatedKey() {
        return invalidatedKey;
    }

    @Override
    public int sourceQueuePair() {
        return sourceQueuePair;
    }

    @Override
    public Gid sourceGid() {
        return new Gid(sourceHigh, sourceLow);
    }

    @Override
    public int destinationGidIndex() {
        return destinationGidIndex;
    }

    @Override
    public int pkeyIndex() {
        return 0;
    }
}
