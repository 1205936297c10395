package io.srpt.mad.dm;

import java.nio.ByteBuffer;

/**
 * Attribute ClassPortInfo, 72 bytes (InfiniBand Architecture Specification, volume 1, section 13.4.8.1).
 *
 * <pre>
 *  0 BaseVersion (1) | 1 ClassVersion (1) | 2 CapabilityMask (2)
 *  4 CapabilityMask2 (27 bits), RespTimeValue (5 bits)
 *  8 redirect and trap fields (64), zero here
 * </pre>
 *
 * @param baseVersion version of the MAD base format
 * @param classVersion version of the class
 * @param capabilityMask 16 bits
 * @param capabilityMask2 27 bits
 * @param responseTimeValue time to answer: 4.096 us times 2 to this power
 */
public record ClassPortInfo(
        int baseVersion, int classVersion, int capabilityMask, int capabilityMask2, int responseTimeValue) {
    public static final int LENGTH = 72;

    public static final int BASE_VERSION_OFFSET = 0;
    public static final int CLASS_VERSION_OFFSET = 1;
    public static final int CAPABILITY_MASK_OFFSET = 2;
    public static final int RESPONSE_TIME_OFFSET = 4;

    private static final int RESPONSE_TIME_BITS = 5;
    private static final int RESPONSE_TIME_MASK = 0x1F;

    /** Writes all 72 bytes. */
    public void write(ByteBuffer buffer, int offset) {
        Fields.clear(buffer, offset, LENGTH);
        buffer.put(offset + BASE_VERSION_OFFSET, (byte) baseVersion);
        buffer.put(offset + CLASS_VERSION_OFFSET, (byte) classVersion);
        buffer.putShort(offset + CAPABILITY_MASK_OFFSET, (short) capabilityMask);
        buffer.putInt(
                offset + RESPONSE_TIME_OFFSET,
                capabilityMask2 << RESPONSE_TIME_BITS | responseTimeValue & RESPONSE_TIME_MASK);
    }

    /** Reads it; the caller has checked that 72 bytes exist. */
    public static ClassPortInfo read(ByteBuffer buffer, int offset) {
        int word = buffer.getInt(offset + RESPONSE_TIME_OFFSET);
        return new ClassPortInfo(
                buffer.get(offset + BASE_VERSION_OFFSET) & 0xFF,
                buffer.get(offset + CLASS_VERSION_OFFSET) & 0xFF,
                buffer.getShort(offset + CAPABILITY_MASK_OFFSET) & 0xFFFF,
                word >>> RESPONSE_TIME_BITS,
                word & RESPONSE_TIME_MASK);
    }
}
