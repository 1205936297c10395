package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * ACK extended transport header, 4 bytes after the BTH of acknowledgements and of the first, last and only packet of a
 * READ response (InfiniBand Architecture Specification, volume 1, section 9.3.5).
 *
 * <pre>
 *  0 syndrome (1) | 1 MSN (3)
 * </pre>
 *
 * A flyweight of one event loop. What a syndrome means: {@link AethSyndrome}.
 */
public final class Aeth {

    public static final int LENGTH = 4;

    public static final int SYNDROME_OFFSET = 0;
    public static final int MSN_OFFSET = 1;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the bytes from {@code offset}; the caller has checked that they exist. */
    public Aeth wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    /** Writes both fields in one store. */
    public Aeth put(int syndrome, int msn) {
        buffer.putInt(offset, syndrome << 24 | msn & Flyweight.MASK_24);
        return this;
    }

    /** The syndrome, 0..255. */
    public int syndrome() {
        return buffer.get(offset + SYNDROME_OFFSET) & 0xFF;
    }

    public Aeth syndrome(int syndrome) {
        buffer.put(offset + SYNDROME_OFFSET, (byte) syndrome);
        return this;
    }

    /** Message sequence number: request messages completed, modulo 2^24. */
    public int msn() {
        return buffer.getInt(offset) & Flyweight.MASK_24;
    }

    public Aeth msn(int msn) {
        Flyweight.putLow24(buffer, offset, msn);
        return this;
    }
}
