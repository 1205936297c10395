package io.srpt.verbs;

import java.nio.ByteBuffer;

/**
 * Registered memory. Work requests name it by address and {@link #localKey()}; the peer, if it was given rights, by
 * address and {@link #remoteKey()}.
 */
public interface MemoryRegion extends AutoCloseable {
    /** Virtual address of its first byte. */
    long address();

    /** Bytes. */
    long length();

    /** The key for our own work requests. */
    int localKey();

    /** The key for the peer. Unpredictable; not used again soon after {@link #close()}. */
    int remoteKey();

    /** The memory itself: direct, big-endian, position 0, limit = capacity. Use absolute access. */
    ByteBuffer buffer();

    /** Takes the region's keys out of use. The memory stays the caller's. */
    @Override
    void close();
}
