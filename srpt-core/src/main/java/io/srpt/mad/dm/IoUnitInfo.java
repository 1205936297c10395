package io.srpt.mad.dm;

import java.nio.ByteBuffer;

/**
 * Attribute IOUnitInfo, 132 bytes (InfiniBand Architecture Specification, volume 1, section 16.3.3.3).
 *
 * <pre>
 *  0 ChangeID (2) | 2 MaxControllers (1) | 3 flags (1): bit 1 diagnostic device id, bit 0 option ROM
 *  4 ControllerList (128): four bits a slot, slot 1 in the high half of the first byte
 * </pre>
 *
 * A flyweight of one event loop.
 */
public final class IoUnitInfo {
    public static final int LENGTH = 132;

    public static final int CHANGE_ID_OFFSET = 0;
    public static final int MAX_CONTROLLERS_OFFSET = 2;
    public static final int FLAGS_OFFSET = 3;
    public static final int CONTROLLER_LIST_OFFSET = 4;

    /** Slot values. */
    public static final int NOT_INSTALLED = 0;

    public static final int PRESENT = 1;
    public static final int NO_SUCH_SLOT = 0xF;

    private static final int LAST_SLOT = 256;
    private static final ByteBuffer UNWRAPPED = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private ByteBuffer buffer = UNWRAPPED;
    private int offset;

    /** Points this flyweight at the 132 bytes from {@code offset}; the caller has checked that they exist. */
    public IoUnitInfo wrap(ByteBuffer newBuffer, int newOffset) {
        buffer = newBuffer;
        offset = newOffset;
        return this;
    }

    /** Makes all bytes zero: no flags, no slot installed. */
    public IoUnitInfo clear() {
        Fields.clear(buffer, offset, LENGTH);
        return this;
    }

    public int changeId() {
        return buffer.getShort(offset + CHANGE_ID_OFFSET) & 0xFFFF;
    }

    public IoUnitInfo changeId(int changeId) {
        buffer.putShort(offset + CHANGE_ID_OFFSET, (short) changeId);
        return this;
    }

    public int maxControllers() {
        return buffer.get(offset + MAX_CONTROLLERS_OFFSET) & 0xFF;
    }

    public IoUnitInfo maxControllers(int maxControllers) {
        buffer.put(offset + MAX_CONTROLLERS_OFFSET, (byte) maxControllers);
        return this;
    }

    /** The value of slot 1 to 256, {@link #NO_SUCH_SLOT} for another number. */
    public int slot(int slot) {
        if (slot < 1 || slot > LAST_SLOT) {
            return NO_SUCH_SLOT;
        }
        int both = buffer.get(slotOffset(slot));
        return (slot & 1) != 0 ? both >>> 4 & 0xF : both & 0xF;
    }

    /** Sets slot 1 to 256 and keeps its neighbour. */
    public IoUnitInfo slot(int slot, int value) {
        int both = buffer.get(slotOffset(slot));
        int changed = (slot & 1) != 0 ? both & 0x0F | value << 4 : both & 0xF0 | value & 0xF;
        buffer.put(slotOffset(slot), (byte) changed);
        return this;
    }

    private int slotOffset(int slot) {
        return offset + CONTROLLER_LIST_OFFSET + (slot - 1) / 2;
    }
}
