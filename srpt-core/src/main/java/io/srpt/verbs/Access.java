package io.srpt.verbs;

/** Rights on a memory region, as a bit mask with the values of {@code ibv_access_flags}. */
public final class Access {
    /** Received data and RDMA READ responses may be placed here. */
    public static final int LOCAL_WRITE = 1;
    /** The peer may write here by RDMA WRITE. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** The peer may read here by RDMA READ. */
    public static final int REMOTE_READ = 1 << 2;

    private Access() {}
}
