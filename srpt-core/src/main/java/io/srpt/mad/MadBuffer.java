package io.srpt.mad;

import java.nio.ByteBuffer;

/**
 * Registered memory for one management datagram: 40 bytes that a receive fills with the global route header, then the
 * 256 bytes of the datagram. A slot of a {@link MadBufferPool}; who holds it names it by {@link #token()}, which no
 * later holder of the same slot has.
 *
 * <p>Threads: the port's loop.
 */
public final class MadBuffer {
    /** Bytes in front of the datagram, for the global route header. */
    public static final int GRH_LENGTH = 40;

    /** Where the datagram starts in {@link #buffer()}. */
    public static final int MAD_OFFSET = GRH_LENGTH;

    /** Bytes of a slot. */
    public static final int LENGTH = GRH_LENGTH + MadHeader.MAD_LENGTH;

    private final ByteBuffer buffer;
    private final long address;
    private final int localKey;
    private final int index;
    private int generation;
    private boolean inUse;

    MadBuffer(ByteBuffer buffer, long address, int localKey, int index) {
        this.buffer = buffer;
        this.address = address;
        this.localKey = localKey;
        this.index = index;
    }

    /** The slot's {@link #LENGTH} bytes, big-endian; use absolute access. Valid until the release. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** The address of the slot's first byte for work requests. */
    public long address() {
        return address;
    }

    /** The key for work requests. */
    public int localKey() {
        return localKey;
    }

    /** Names this use of the slot: the slot's index, and a generation of 31 bits above it. Never negative. */
    public long token() {
        return (long) generation << Integer.SIZE | index;
    }

    int index() {
        return index;
    }

    boolean isInUse() {
        return inUse;
    }

    void take() {
        inUse = true;
    }

    /** Back to the pool: tokens given so far go stale. */
    void giveBack() {
        inUse = false;
        generation = generation + 1 & Integer.MAX_VALUE;
    }

    /** Makes the 256 bytes of the datagram zero. */
    public MadBuffer clear() {
        for (int i = MAD_OFFSET; i < LENGTH; i += Long.BYTES) {
            buffer.putLong(i, 0);
        }
        return this;
    }

    /** Copies the datagram of {@code other}. */
    public MadBuffer copyFrom(MadBuffer other) {
        buffer.put(MAD_OFFSET, other.buffer, MAD_OFFSET, MadHeader.MAD_LENGTH);
        return this;
    }
}
