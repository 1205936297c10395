package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The mode pages (SPC-4 §7.5, SBC-3 §6.5): their current and default values and the masks of what MODE SELECT may change,
 * which are WCE, SWP, D_SENSE and TAS.
 */
enum ModePages {
    READ_WRITE_ERROR_RECOVERY(0x01, 12),
    CACHING(0x08, 20),
    CONTROL(0x0A, 12),
    INFORMATIONAL_EXCEPTIONS(0x1C, 12);

    /** Page code that asks for all pages. */
    static final int ALL = 0x3F;

    /** Length of the longest page. */
    static final int MAX_LENGTH = 20;

    /** Which values of a page; the numbers are those of the PC field. */
    enum Values {
        CURRENT,
        CHANGEABLE,
        DEFAULT
    }

    /** Thresholds of provisioning are reported. */
    private static final int LBPERE = 0x80;

    private static final int WCE = 0x04;
    private static final int GLTSD = 0x02;
    private static final int D_SENSE = 0x04;
    private static final int UNRESTRICTED_REORDERING = 0x10;
    private static final int SWP = 0x08;
    private static final int TAS = 0x40;

    private final int code;
    private final int length;

    ModePages(int code, int length) {
        this.code = code;
        this.length = length;
    }

    int code() {
        return code;
    }

    boolean selectedBy(int page) {
        return page == ALL || page == code;
    }

    int length() {
        return length;
    }

    /** Writes the page into zeroed {@code data}. */
    void write(ByteBuffer data, int at, LogicalUnit unit, Values values) {
        data.put(at, (byte) code);
        data.put(at + 1, (byte) (length - 2));
        ModeParameters mode = values == Values.DEFAULT ? new ModeParameters() : unit.mode();
        boolean mask = values == Values.CHANGEABLE;
        boolean cache = unit.store().writeCacheEnabled();
        switch (this) {
            case CACHING -> data.put(at + 2, bit(cache && (mask || !mode.writeThrough()), WCE));
            case CONTROL -> {
                data.put(at + 2, (byte) ((mask ? 0 : GLTSD) | bit(mask || mode.descriptorSense(), D_SENSE)));
                data.put(at + 3, (byte) (mask ? 0 : UNRESTRICTED_REORDERING));
                data.put(at + 4, bit(mask || mode.softwareWriteProtect(), SWP));
                data.put(at + 5, bit(mask || mode.taskAborted(), TAS));
                data.putShort(at + 8, (short) (mask ? 0 : 0xFFFF)); // busy timeout: unlimited
            }
            case READ_WRITE_ERROR_RECOVERY -> data.put(at + 7, bit(unit.thin() && !mask, LBPERE));
            case INFORMATIONAL_EXCEPTIONS -> {}
        }
    }

    private static byte bit(boolean on, int bit) {
        return (byte) (on ? bit : 0);
    }

    /** The index from {@code at} on of the first byte that changes what is not changeable; -1 when the page is fine. */
    int firstWrong(ByteBuffer list, int at, LogicalUnit unit) {
        ByteBuffer current = ByteBuffer.allocate(length);
        ByteBuffer mask = ByteBuffer.allocate(length);
        write(current, 0, unit, Values.CURRENT);
        write(mask, 0, unit, Values.CHANGEABLE);
        for (int i = 2; i < length; i++) {
            if (((list.get(at + i) ^ current.get(i)) & ~mask.get(i) & 0xFF) != 0) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the page, which is fine, says anything else than what is. */
    boolean changes(ByteBuffer list, int at, LogicalUnit unit) {
        ByteBuffer current = ByteBuffer.allocate(length);
        write(current, 0, unit, Values.CURRENT);
        return !list.slice(at + 2, length - 2).equals(current.slice(2, length - 2));
    }

    /** Takes over the page's changeable values into {@code mode}. */
    void apply(ByteBuffer list, int at, LogicalUnit unit, ModeParameters mode) {
        switch (this) {
            case CACHING -> mode.writeThrough(unit.store().writeCacheEnabled() && (list.get(at + 2) & WCE) == 0);
            case CONTROL -> {
                mode.descriptorSense((list.get(at + 2) & D_SENSE) != 0);
                mode.softwareWriteProtect((list.get(at + 4) & SWP) != 0);
                mode.taskAborted((list.get(at + 5) & TAS) != 0);
            }
            case READ_WRITE_ERROR_RECOVERY, INFORMATIONAL_EXCEPTIONS -> {}
        }
    }
}
