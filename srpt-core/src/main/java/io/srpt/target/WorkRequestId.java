package io.srpt.target;

/**
 * The numbers of work requests of a channel: what it was for (upper half), and the slot or context that it belongs to.
 */
final class WorkRequestId {
    /** A receive; the index is a slot of the {@link ReceiveRing}. */
    static final int RECEIVE = 1;
    /** The last RDMA READ of a command's descriptor table, or the work that ends its READs when they were cancelled. */
    static final int TABLE_READ = 2;
    /** The last RDMA READ of a command's data-out, or the work that ends its READs when they were cancelled. */
    static final int DATA_READ = 3;
    /** An SRP_RSP. */
    static final int RESPONSE = 4;
    /** RDMA work that is not the last of its command; its good completion only frees send queue slots. */
    static final int PROGRESS = 5;
    /** The zero-length RDMA WRITE that ends a drain. */
    static final int DRAIN = 6;
    /** An SRP_CRED_REQ or SRP_AER_REQ. */
    static final int REQUEST = 7;
    /** An SRP_T_LOGOUT. */
    static final int LOGOUT = 8;
    /** The zero-length RDMA WRITE of an {@link IdleProbe}. */
    static final int PROBE = 9;

    private WorkRequestId() {}

    static long of(int kind, int index) {
        return ((long) kind << 32) | index;
    }

    static int kind(long id) {
        return (int) (id >>> 32);
    }

    static int index(long id) {
        return (int) id;
    }
}
