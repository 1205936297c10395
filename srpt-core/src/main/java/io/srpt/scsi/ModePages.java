package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The mode pages (SPC-4 §7.5, SBC-3 §6.5): their current and default values and the masks of what MODE SELECT may change,
 * which are WCE, SWP, D_SENSE and TAS.
 *
 * <pre>
 *  a page:     code | length (1) | values
 *  a subpage:  SPF, code | subpage | length (2) | values
 * </pre>
 */
enum ModePages {
    READ_WRITE_ERROR_RECOVERY(0x01, 0x00, 12),
    CACHING(0x08, 0x00, 20),
    CONTROL(0x0A, 0x00, 12),
    INFORMATIONAL_EXCEPTIONS(0x1C, 0x00, 12),
    /** Of a thin disk. */
    LOGICAL_BLOCK_PROVISIONING(0x1C, 0x02, 24);

    /** Which values of a page; the numbers are those of the PC field. */
    enum Values {
        CURRENT,
        CHANGEABLE,
        DEFAULT
    }

    /** Page code that asks for all pages. */
    static final int ALL = 0x3F;
    /** Subpage code that asks for all subpages. */
    private static final int ALL_SUBPAGES = 0xFF;

    private static final int SPF = 0x40;
    private static final int PAGE_CODE = 0x3F;
    /** Reaching a threshold is reported. */
    private static final int LBPERE = 0x80;
    /** A threshold descriptor: this in byte 0, with a type of 0 (soft) and an arming of 0 (by decreasing). */
    private static final int ENABLED = 0x80;

    private static final int WCE = 0x04;
    private static final int GLTSD = 0x02;
    private static final int D_SENSE = 0x04;
    private static final int UNRESTRICTED_REORDERING = 0x10;
    private static final int SWP = 0x08;
    private static final int TAS = 0x40;

    private final int code;
    private final int subpage;
    private final int length;

    ModePages(int code, int subpage, int length) {
        this.code = code;
        this.subpage = subpage;
        this.length = length;
    }

    /** Whether MODE SENSE of these codes returns it. */
    boolean selectedBy(int askedPage, int askedSubpage, LogicalUnit unit) {
        boolean allSubpages = askedSubpage == ALL_SUBPAGES;
        boolean pageAsked = askedPage == code || askedPage == ALL && (allSubpages || askedSubpage == 0);
        return pageAsked && (allSubpages || askedSubpage == subpage) && existsIn(unit);
    }

    private boolean existsIn(LogicalUnit unit) {
        return this != LOGICAL_BLOCK_PROVISIONING || unit.thin();
    }

    /** Whether the page at {@code at} is this one, by what there is of its head. */
    boolean isAt(ByteBuffer list, int at, LogicalUnit unit) {
        int first = list.get(at);
        boolean sub = (first & SPF) != 0;
        return (first & PAGE_CODE) == code
                && sub == (subpage != 0)
                && (!sub || at + 1 < list.capacity() && (list.get(at + 1) & 0xFF) == subpage)
                && existsIn(unit);
    }

    /** With its head. */
    int length() {
        return length;
    }

    /** Length of what comes before the values. */
    int headLength() {
        return subpage == 0 ? 2 : 4;
    }

    /** The index from {@code at} on of the length of a page of which at least the head is there, if that is wrong; else -1. */
    int wrongLength(ByteBuffer list, int at) {
        int index = subpage == 0 ? 1 : 2;
        int told = subpage == 0 ? list.get(at + 1) & 0xFF : list.getShort(at + 2) & 0xFFFF;
        return told == length - headLength() ? -1 : index;
    }

    /** Writes the page into zeroed {@code data}. */
    void write(ByteBuffer data, int at, LogicalUnit unit, Values values) {
        writeHead(data, at);
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
            case READ_WRITE_ERROR_RECOVERY -> data.put(at + 7, bit(!mask && SoftThreshold.isIn(unit), LBPERE));
            case INFORMATIONAL_EXCEPTIONS -> {}
            case LOGICAL_BLOCK_PROVISIONING -> {
                if (!mask && SoftThreshold.isIn(unit)) {
                    writeThreshold(data, at + 16, SoftThreshold.setsOf(unit));
                }
            }
        }
    }

    private void writeHead(ByteBuffer data, int at) {
        if (subpage == 0) {
            data.put(at, (byte) code);
            data.put(at + 1, (byte) (length - 2));
        } else {
            data.put(at, (byte) (SPF | code));
            data.put(at + 1, (byte) subpage);
            data.putShort(at + 2, (short) (length - 4));
        }
    }

    /** A threshold descriptor, {@code enabled, type, arming | resource | 0 (2) | threshold sets (4)}. */
    private static void writeThreshold(ByteBuffer data, int at, int sets) {
        data.put(at, (byte) ENABLED);
        data.put(at + 1, (byte) LogSenseCommand.AVAILABLE);
        data.putInt(at + 4, sets);
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
        for (int i = headLength(); i < length; i++) {
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
        int from = headLength();
        return !list.slice(at + from, length - from).equals(current.slice(from, length - from));
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
            case READ_WRITE_ERROR_RECOVERY, INFORMATIONAL_EXCEPTIONS, LOGICAL_BLOCK_PROVISIONING -> {}
        }
    }
}
