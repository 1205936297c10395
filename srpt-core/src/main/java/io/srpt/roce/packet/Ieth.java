package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * Invalidate extended transport header: the R_Key that a SEND with invalidate ends, 4 bytes behind the BTH (InfiniBand
 * Architecture Specification, volume 1, section 9.3.7). A flyweight of one event loop.
 */
public final class Ieth {

    public static final int LENGTH = 4;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the bytes from {@code offset}; the caller has checked that they exist. */
    public Ieth wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    public int remoteKey() {
        return buffer.getInt(offset);
    }

    public Ieth remoteKey(int remoteKey) {
        buffer.putInt(offset, remoteKey);
        return this;
    }
}
