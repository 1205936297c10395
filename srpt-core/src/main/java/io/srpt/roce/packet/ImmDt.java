package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * Immediate data: 4 bytes behind the other headers of a packet whose opcode says so (InfiniBand Architecture
 * Specification, volume 1, section 9.3.6). A flyweight of one event loop; see {@link Opcode#immediateOffset}.
 */
public final class ImmDt {

    public static final int LENGTH = 4;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the bytes from {@code offset}; the caller has checked that they exist. */
    public ImmDt wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    /** The 32 bits in network order. */
    public int immediateData() {
        return buffer.getInt(offset);
    }

    public ImmDt immediateData(int value) {
        buffer.putInt(offset, value);
        return this;
    }
}
