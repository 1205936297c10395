package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvWC;
import io.srpt.verbs.Gid;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;

/** One completion as DiSNI has it, with our numbers: the view that a completion queue shows its listener again and again. */
final class DisniCompletion implements WorkCompletion {
    private static final int RDMA_WRITE = 1;
    private static final int RDMA_READ = 2;
    private static final int RECEIVE = 1 << 7;
    private static final int RECEIVE_RDMA_WITH_IMMEDIATE = RECEIVE + 1;
    private static final int WITH_IMMEDIATE = 1 << 1;
    private static final int WITH_INVALIDATE = 1 << 3;

    private IbvWC raw = new IbvWC();
    private long wrId;
    private int queuePair;
    private WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
    private boolean receive;
    private Gid sourceGid = Gid.ZERO;
    private int gidIndex;

    /** Shows {@code completion}, which is about the poster's request {@code number} of {@code pair}. */
    DisniCompletion show(IbvWC completion, long number, int pair, boolean ofReceive) {
        raw = completion;
        wrId = number;
        queuePair = pair;
        receive = ofReceive;
        status = WorkCompletionStatus.of(completion.getStatus());
        sourceGid = Gid.ZERO;
        gidIndex = 0;
        return this;
    }

    /** Where a datagram came from and to. */
    DisniCompletion datagram(Gid source, int destinationIndex) {
        sourceGid = source;
        gidIndex = destinationIndex;
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
        if (status != WorkCompletionStatus.SUCCESS) {
            return receive ? WorkCompletionOpcode.RECEIVE : WorkCompletionOpcode.SEND;
        }
        return switch (raw.getOpcode()) {
            case RDMA_WRITE -> WorkCompletionOpcode.RDMA_WRITE;
            case RDMA_READ -> WorkCompletionOpcode.RDMA_READ;
            case RECEIVE -> WorkCompletionOpcode.RECEIVE;
            case RECEIVE_RDMA_WITH_IMMEDIATE -> WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE;
            default -> WorkCompletionOpcode.SEND;
        };
    }

    /** DiSNI drops it where it would mean something. */
    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public int byteLength() {
        return raw.getByte_len();
    }

    @Override
    public int queuePairNumber() {
        return queuePair;
    }

    @Override
    public int immediate() {
        return Integer.reverseBytes(raw.getImm_data());
    }

    @Override
    public boolean hasImmediate() {
        return status == WorkCompletionStatus.SUCCESS && (raw.getWc_flags() & WITH_IMMEDIATE) != 0;
    }

    @Override
    public int invalidatedKey() {
        boolean invalidated = status == WorkCompletionStatus.SUCCESS && (raw.getWc_flags() & WITH_INVALIDATE) != 0;
        return invalidated ? raw.getImm_data() : 0;
    }

    @Override
    public int sourceQueuePair() {
        return raw.getSrc_qp();
    }

    @Override
    public Gid sourceGid() {
        return sourceGid;
    }

    @Override
    public int destinationGidIndex() {
        return gidIndex;
    }

    @Override
    public int pkeyIndex() {
        return raw.getPkey_index();
    }
}
