package io.srpt.verbs;

/** What kind of work a completion ends. */
public enum WorkCompletionOpcode {
    SEND,
    RDMA_WRITE,
    RDMA_READ,
    RECEIVE,
    /** A receive consumed by an RDMA WRITE with immediate data. */
    RECEIVE_RDMA_WITH_IMMEDIATE
}
