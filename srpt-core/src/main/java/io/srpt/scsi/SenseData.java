package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codec of sense data in fixed format (response code 70h) and descriptor format (72h); SPC-4 §4.5.2, §4.5.3.
 *
 * <pre>
 *  fixed (18 bytes)                          descriptor (8 bytes, then descriptors)
 *   0  VALID | 70h                            0  72h
 *   2  sense key                              1  sense key
 *   3  information (4)                        2  ASC   3  ASCQ
 *   7  additional length = 10                 7  additional length
 *  12  ASC   13  ASCQ                         8  00 0A 80 00 information (8): the information descriptor
 *  15  sense-key specific (3)                    02 06 00 00 specific (3) 00: the sense-key specific descriptor
 * </pre>
 */
public final class SenseData {
    /** Length of fixed format sense data. */
    public static final int FIXED_LENGTH = 18;
    /** Length of descriptor format sense data without a descriptor. */
    public static final int DESCRIPTOR_HEADER_LENGTH = 8;
    /** The most that {@link #encode} writes. */
    public static final int MAX_LENGTH = 28;
    /** The value for "no information field". */
    public static final long NO_INFORMATION = -1;

    /** The sense-key specific field that says nothing. */
    static final int NOTHING_SPECIFIC = 0;

    private static final int INFORMATION_DESCRIPTOR_LENGTH = 12;
    private static final int SPECIFIC_DESCRIPTOR_LENGTH = 8;
    private static final int SKSV = 0x80_0000;
    private static final int COMMAND = 0x40_0000;
    private static final int VALID = 0x80;

    private SenseData() {}

    /**
     * What an initiator reads from sense data.
     *
     * @param responseCode 70h to 73h; 71h and 73h mean a deferred error
     */
    public record Decoded(int responseCode, int key, int asc, int ascq, long information) {
        @Override
        public String toString() {
            return String.format("%X/%02X/%02X", key, asc, ascq);
        }
    }

    /**
     * Writes {@code sense} at {@code offset}.
     *
     * @param descriptorFormat whether D_SENSE asks for descriptor format
     * @param information an LBA, or {@link #NO_INFORMATION}; fixed format leaves out what does not fit 32 bits
     * @return bytes written
     */
    public static int encode(ByteBuffer to, int offset, Sense sense, boolean descriptorFormat, long information) {
        return encode(to, offset, sense, descriptorFormat, information, NOTHING_SPECIFIC);
    }

    /** As above, with the sense-key specific field: {@link #progress}, {@link #field} or {@link #NOTHING_SPECIFIC}. */
    static int encode(
            ByteBuffer to, int offset, Sense sense, boolean descriptorFormat, long information, int specific) {
        return descriptorFormat
                ? encodeDescriptor(to, offset, sense, information, specific)
                : encodeFixed(to, offset, sense, information, specific);
    }

    /** The sense-key specific field that tells how much is done, in 65536ths. */
    static int progress(int done) {
        return SKSV | done & 0xFFFF;
    }

    /** The sense-key specific field that points at a wrong byte of the CDB or, with {@code data}, of the data-out. */
    static int field(boolean data, int at) {
        return SKSV | (data ? 0 : COMMAND) | at & 0xFFFF;
    }

    /** Writes any sense key and codes in fixed format without information at {@code offset}; returns bytes written. */
    public static int encodeFixed(ByteBuffer to, int offset, int key, int asc, int ascq) {
        int length = encodeFixed(to, offset, Sense.NO_SENSE, NO_INFORMATION, NOTHING_SPECIFIC);
        to.put(offset + 2, (byte) key);
        to.put(offset + 12, (byte) asc);
        to.put(offset + 13, (byte) ascq);
        return length;
    }

    private static int encodeFixed(ByteBuffer to, int offset, Sense sense, long information, int specific) {
        boolean valid = information >= 0 && information <= 0xFFFF_FFFFL;
        to.putLong(offset, 0).putLong(offset + 8, 0);
        to.put(offset, (byte) (valid ? VALID | 0x70 : 0x70));
        to.put(offset + 2, (byte) sense.key());
        to.putInt(offset + 3, valid ? (int) information : 0);
        to.put(offset + 7, (byte) (FIXED_LENGTH - 8));
        to.put(offset + 12, (byte) sense.asc());
        to.put(offset + 13, (byte) sense.ascq());
        to.put(offset + 15, (byte) (specific >> 16)).putShort(offset + 16, (short) specific);
        return FIXED_LENGTH;
    }

    private static int encodeDescriptor(ByteBuffer to, int offset, Sense sense, long information, int specific) {
        to.putLong(offset, 0);
        to.put(offset, (byte) 0x72);
        to.put(offset + 1, (byte) sense.key());
        to.put(offset + 2, (byte) sense.asc());
        to.put(offset + 3, (byte) sense.ascq());
        int at = DESCRIPTOR_HEADER_LENGTH;
        if (information >= 0) {
            to.putInt(offset + at, 0x000A_8000);
            to.putLong(offset + at + 4, information);
            at += INFORMATION_DESCRIPTOR_LENGTH;
        }
        if (specific != NOTHING_SPECIFIC) {
            to.putInt(offset + at, 0x0206_0000);
            to.putInt(offset + at + 4, specific << 8);
            at += SPECIFIC_DESCRIPTOR_LENGTH;
        }
        to.put(offset + 7, (byte) (at - DESCRIPTOR_HEADER_LENGTH));
        return at;
    }

    /** Reads either format; null when the bytes are no sense data or too short to tell. */
    public static @Nullable Decoded decode(ByteBuffer from, int offset, int length) {
        if (length < 4) {
            return null;
        }
        int code = from.get(offset) & 0x7F;
        return switch (code) {
            case 0x70, 0x71 -> decodeFixed(from, offset, length, code);
            case 0x72, 0x73 -> decodeDescriptor(from, offset, length, code);
            default -> null;
        };
    }

    private static Decoded decodeFixed(ByteBuffer from, int offset, int length, int code) {
        boolean valid = (from.get(offset) & VALID) != 0 && length >= 7;
        return new Decoded(
                code,
                from.get(offset + 2) & 0x0F,
                length > 12 ? from.get(offset + 12) & 0xFF : 0,
                length > 13 ? from.get(offset + 13) & 0xFF : 0,
                valid ? from.getInt(offset + 3) & 0xFFFF_FFFFL : NO_INFORMATION);
    }

    private static Decoded decodeDescriptor(ByteBuffer from, int offset, int length, int code) {
        long information = NO_INFORMATION;
        int end = length < 8 ? length : Math.min(length, 8 + (from.get(offset + 7) & 0xFF));
        for (int at = 8; at + 2 <= end; at += 2 + (from.get(offset + at + 1) & 0xFF)) {
            if (from.get(offset + at) == 0 && at + INFORMATION_DESCRIPTOR_LENGTH <= end) {
                information = from.getLong(offset + at + 4);
            }
        }
        return new Decoded(
                code,
                from.get(offset + 1) & 0x0F,
                from.get(offset + 2) & 0xFF,
                from.get(offset + 3) & 0xFF,
                information);
    }
}
