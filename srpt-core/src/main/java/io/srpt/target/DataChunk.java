package io.srpt.target;

import java.nio.ByteBuffer;

/** A piece of registered memory for data on its way; the unit in which {@link DataBufferPool} lends. */
final class DataChunk {
    private final ByteBuffer buffer;
    private final long address;
    private final int localKey;

    DataChunk(ByteBuffer buffer, long address, int localKey) {
        this.buffer = buffer;
        this.address = address;
        this.localKey = localKey;
    }

    /** The memory: direct, big-endian. Position and limit are the holder's to set. */
    ByteBuffer buffer() {
        return buffer;
    }

    long address() {
        return address;
    }

    int localKey() {
        return localKey;
    }
}
