package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * A flyweight over consecutive memory descriptors, wherever they lie: in an SRP_CMD or in a table that was fetched by RDMA
 * READ. One descriptor (SRP r16a §5.6.2.4):
 *
 * <pre>
 *   0   virtual address (8)
 *   8   R_Key (4)
 *   12  length in bytes (4, unsigned)
 * </pre>
 */
public final class DescriptorTable {
    /** Bytes of one descriptor. */
    public static final int DESCRIPTOR_LENGTH = 16;

    public static final int ADDRESS_OFFSET = 0;
    public static final int KEY_OFFSET = 8;
    public static final int BYTES_OFFSET = 12;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer buffer = NOTHING;
    private int offset;
    private int count;

    /** Lays it over {@code newCount} descriptors at {@code newOffset}; they must lie within the buffer. */
    public DescriptorTable wrap(ByteBuffer newBuffer, int newOffset, int newCount) {
        buffer = newBuffer;
        offset = newOffset;
        count = newCount;
        return this;
    }

    /** How many descriptors. */
    public int count() {
        return count;
    }

    /** Where at the initiator, on its own scale. */
    public long address(int index) {
        return buffer.getLong(at(index) + ADDRESS_OFFSET);
    }

    /** The initiator's key for it. */
    public int key(int index) {
        return buffer.getInt(at(index) + KEY_OFFSET);
    }

    /** Bytes, 0 to 2^32-1. */
    public long length(int index) {
        return buffer.getInt(at(index) + BYTES_OFFSET) & 0xFFFF_FFFFL;
    }

    /** Writes one descriptor. */
    public DescriptorTable descriptor(int index, long address, int key, int length) {
        int at = at(index);
        buffer.putLong(at + ADDRESS_OFFSET, address);
        buffer.putInt(at + KEY_OFFSET, key);
        buffer.putInt(at + BYTES_OFFSET, length);
        return this;
    }

    /** Bytes of all descriptors together. */
    public long totalLength() {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += length(i);
        }
        return total;
    }

    private int at(int index) {
        return offset + index * DESCRIPTOR_LENGTH;
    }
}
