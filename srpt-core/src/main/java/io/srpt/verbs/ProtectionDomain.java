package io.srpt.verbs;

import java.nio.ByteBuffer;

/** Queue pairs and the memory that they may touch. All made by it must be closed before it is. */
public interface ProtectionDomain extends AutoCloseable {
    /** Registers {@code buffer}, direct memory, with a sum of {@link Access} rights. The caller keeps the memory alive. */
    MemoryRegion register(ByteBuffer buffer, int access) throws VerbsException;

    /** Makes a queue pair in state RESET on the loop of its completion queues. */
    QueuePair createQueuePair(QueuePairInit init) throws VerbsException;

    /** Makes a shared receive queue for queue pairs of {@code loop}. */
    SharedReceiveQueue createSharedReceiveQueue(RdmaLoop loop, int maxRequests, int maxSegments) throws VerbsException;

    /** Makes an address handle for datagrams. */
    AddressHandle createAddressHandle(AddressVector vector) throws VerbsException;

    @Override
    void close();
}
