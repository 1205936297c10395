package io.srpt.verbs;

/**
 * One ended work request. The object is the completion queue's and is valid only during
 * {@link CompletionListener#onCompletion}: copy what must outlive the call.
 *
 * <p>When {@link #status()} is not SUCCESS only {@link #wrId()}, {@link #status()}, {@link #queuePairNumber()} and
 * {@link #vendorError()} mean anything; route by {@link #wrId()}.
 */
public interface WorkCompletion {
    /** The number that the poster gave the work request. */
    long wrId();

    /** How it ended. */
    WorkCompletionStatus status();

    /** What kind of work it was. */
    WorkCompletionOpcode opcode();

    /** The provider's own error number, 0 if it has none. */
    int vendorError();

    /** Bytes received or read. On a datagram queue pair this includes the 40 bytes of the global route header. */
    int byteLength();

    /** The local queue pair. */
    int queuePairNumber();

    /** Immediate data, if {@link #hasImmediate()}. */
    int immediate();

    /** Whether immediate data came with it. */
    boolean hasImmediate();

    /** The local key that the peer's SEND with invalidate named, 0 if none. */
    int invalidatedKey();

    /** Datagrams: the sender's queue pair. */
    int sourceQueuePair();

    /** Datagrams: the sender's GID, the zero GID elsewhere. Allocates: off the hot path only. */
    Gid sourceGid();

    /** Datagrams: the index in the port's GID table of the address that the datagram came to. */
    int destinationGidIndex();

    /** Datagrams: the index of the P_Key that it came with. */
    int pkeyIndex();
}
