package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * Datagram extended transport header, 8 bytes after the BTH of unreliable datagrams (InfiniBand Architecture
 * Specification, volume 1, section 9.3.2).
 *
 * <pre>
 *  0 Q_Key (4) | 4 reserved (1) | 5 source QP (3)
 * </pre>
 *
 * A flyweight of one event loop.
 */
public final class Deth {

    public static final int LENGTH = 8;

    public static final int QUEUE_KEY_OFFSET = 0;
    public static final int SOURCE_QP_OFFSET = 5;

    private static final int SOURCE_WORD_OFFSET = 4;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the bytes from {@code offset}; the caller has checked that they exist. */
    public Deth wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    /** Writes all 8 bytes; the reserved one becomes zero. */
    public Deth put(int queueKey, int sourceQp) {
        buffer.putInt(offset, queueKey);
        buffer.putInt(offset + SOURCE_WORD_OFFSET, sourceQp & Flyweight.MASK_24);
        return this;
    }

    public int queueKey() {
        return buffer.getInt(offset + QUEUE_KEY_OFFSET);
    }

    public Deth queueKey(int queueKey) {
        buffer.putInt(offset + QUEUE_KEY_OFFSET, queueKey);
        return this;
    }

    public int sourceQp() {
        return buffer.getInt(offset + SOURCE_WORD_OFFSET) & Flyweight.MASK_24;
    }

    public Deth sourceQp(int queuePairNumber) {
        Flyweight.putLow24(buffer, offset + SOURCE_WORD_OFFSET, queuePairNumber);
        return this;
    }
}
