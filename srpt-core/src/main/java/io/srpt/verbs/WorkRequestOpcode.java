package io.srpt.verbs;

/** What a send work request asks for. */
public enum WorkRequestOpcode {
    SEND,
    SEND_WITH_IMMEDIATE,
    SEND_WITH_INVALIDATE,
    RDMA_WRITE,
    RDMA_WRITE_WITH_IMMEDIATE,
    RDMA_READ
}
