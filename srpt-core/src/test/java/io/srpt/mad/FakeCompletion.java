package io.srpt.mad;

import io.srpt.verbs.Gid;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;

/** A work completion with given values. */
public record FakeCompletion(
        long wrId,
        WorkCompletionStatus status,
        WorkCompletionOpcode opcode,
        int byteLength,
        int sourceQueuePair,
        Gid sourceGid,
        int destinationGidIndex)
        implements WorkCompletion {

    public static FakeCompletion send(long wrId, WorkCompletionStatus status) {
        return new FakeCompletion(wrId, status, WorkCompletionOpcode.SEND, 0, 0, Gid.ZERO, 0);
    }

    public static FakeCompletion receive(long wrId, int length, Gid source, int destinationGidIndex) {
        return new FakeCompletion(
                wrId,
                WorkCompletionStatus.SUCCESS,
                WorkCompletionOpcode.RECEIVE,
                length,
                MadAddress.GENERAL_SERVICES,
                source,
                destinationGidIndex);
    }

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public int queuePairNumber() {
        return MadAddress.GENERAL_SERVICES;
    }

    @Override
    public int immediate() {
        return 0;
    }

    @Override
    public boolean hasImmediate() {
        return false;
    }

    @Override
    public int invalidatedKey() {
        return 0;
    }

    @Override
    public int pkeyIndex() {
        return 0;
    }
}
