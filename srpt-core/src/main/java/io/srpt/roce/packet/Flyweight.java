package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/** What the header flyweights share: the buffer before the first {@code wrap}, and 24-bit fields. */
final class Flyweight {

    /** Stands for "not wrapped yet": every access to it fails with an index error instead of a null pointer. */
    static final ByteBuffer UNWRAPPED = ByteBuffer.allocate(0).asReadOnlyBuffer();

    static final int MASK_24 = 0xFF_FFFF;

    private Flyweight() {}

    /** Replaces the low 24 bits of the word at {@code index} and keeps its first byte. */
    static void putLow24(ByteBuffer buffer, int index, int value) {
        buffer.putInt(index, buffer.getInt(index) & 0xFF00_0000 | value & MASK_24);
    }

    /** Sets or clears the bits of {@code mask} in the byte at {@code index}. */
    static void putBit(ByteBuffer buffer, int index, int mask, boolean value) {
        int old = buffer.get(index);
        buffer.put(index, (byte) (value ? old | mask : old & ~mask));
    }
}
