package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * Atomic extended transport header, 28 bytes after the BTH of a compare-and-swap or fetch-and-add request (InfiniBand
 * Architecture Specification, volume 1, section 9.3.4).
 *
 * <pre>
 *  0 virtual address (8) | 8 R_Key (4) | 12 swap or add data (8) | 20 compare data (8)
 * </pre>
 *
 * The answer carries the old value in 8 bytes after the AETH ({@link #ACK_LENGTH}). A flyweight of one event loop.
 */
public final class AtomicEth {

    public static final int LENGTH = 28;

    /** Length of AtomicAckETH, the original value returned behind the AETH of an atomic acknowledgement. */
    public static final int ACK_LENGTH = 8;

    public static final int VIRTUAL_ADDRESS_OFFSET = 0;
    public static final int REMOTE_KEY_OFFSET = 8;
    public static final int SWAP_OR_ADD_OFFSET = 12;
    public static final int COMPARE_OFFSET = 20;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the bytes from {@code offset}; the caller has checked that they exist. */
    public AtomicEth wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    public long virtualAddress() {
        return buffer.getLong(offset + VIRTUAL_ADDRESS_OFFSET);
    }

    public AtomicEth virtualAddress(long address) {
        buffer.putLong(offset + VIRTUAL_ADDRESS_OFFSET, address);
        return this;
    }

    public int remoteKey() {
        return buffer.getInt(offset + REMOTE_KEY_OFFSET);
    }

    public AtomicEth remoteKey(int remoteKey) {
        buffer.putInt(offset + REMOTE_KEY_OFFSET, remoteKey);
        return this;
    }

    public long swapOrAdd() {
        return buffer.getLong(offset + SWAP_OR_ADD_OFFSET);
    }

    public AtomicEth swapOrAdd(long value) {
        buffer.putLong(offset + SWAP_OR_ADD_OFFSET, value);
        return this;
    }

    public long compare() {
        return buffer.getLong(offset + COMPARE_OFFSET);
    }

    public AtomicEth compare(long value) {
        buffer.putLong(offset + COMPARE_OFFSET, value);
        return this;
    }
}
