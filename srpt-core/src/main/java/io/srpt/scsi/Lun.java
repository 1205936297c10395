package io.srpt.scsi;

/**
 * Eight-byte logical unit numbers (SAM-5 §4.7): single level, peripheral device (00b, bus 0) or flat space (01b) addressing.
 *
 * <pre>
 *  byte 0: method (2 bits) | bus or high part (6)   byte 1: LUN or low part   bytes 2..7: 0
 * </pre>
 */
public final class Lun {
    /** What {@link #decode} returns for forms that name no logical unit here: extended, hierarchical, bus other than 0. */
    public static final int INVALID = -1;
    /** The largest number that flat space addressing can carry. */
    public static final int MAX = 0x3FFF;

    private static final long BELOW_FIRST_LEVEL = 0x0000_FFFF_FFFF_FFFFL;

    private Lun() {}

    /** The number in the eight raw bytes (big-endian), 0 to {@link #MAX}, or {@link #INVALID}. */
    public static int decode(long raw) {
        if ((raw & BELOW_FIRST_LEVEL) != 0) {
            return INVALID;
        }
        int first = (int) (raw >>> 48);
        return switch (first >>> 14) {
            case 0 -> first <= 0xFF ? first : INVALID;
            case 1 -> first & MAX;
            default -> INVALID;
        };
    }

    /** The eight bytes for {@code lun}: peripheral addressing up to 255, flat space above. */
    public static long encode(int lun) {
        if (lun < 0 || lun > MAX) {
            throw new IllegalArgumentException("LUN " + lun + " is not in 0.." + MAX);
        }
        return (long) (lun <= 0xFF ? lun : 0x4000 | lun) << 48;
    }
}
