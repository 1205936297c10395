package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * RDMA extended transport header, 16 bytes after the BTH of a READ request and of the first or only packet of a WRITE
 * (InfiniBand Architecture Specification, volume 1, section 9.3.3).
 *
 * <pre>
 *  0 virtual address (8) | 8 R_Key (4) | 12 DMA length (4), of the whole message
 * </pre>
 *
 * A flyweight of one event loop.
 */
public final class Reth {

    public static final int LENGTH = 16;

    public static final int VIRTUAL_ADDRESS_OFFSET = 0;
    public static final int REMOTE_KEY_OFFSET = 8;
    public static final int DMA_LENGTH_OFFSET = 12;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the bytes from {@code offset}; the caller has checked that they exist. */
    public Reth wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    public long virtualAddress() {
        return buffer.getLong(offset + VIRTUAL_ADDRESS_OFFSET);
    }

    public Reth virtualAddress(long address) {
        buffer.putLong(offset + VIRTUAL_ADDRESS_OFFSET, address);
        return this;
    }

    public int remoteKey() {
        return buffer.getInt(offset + REMOTE_KEY_OFFSET);
    }

    public Reth remoteKey(int remoteKey) {
        buffer.putInt(offset + REMOTE_KEY_OFFSET, remoteKey);
        return this;
    }

    /** Bytes of the whole message, 0..2^32-1. */
    public long dmaLength() {
        return buffer.getInt(offset + DMA_LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    public Reth dmaLength(long bytes) {
        buffer.putInt(offset + DMA_LENGTH_OFFSET, (int) bytes);
        return this;
    }
}
