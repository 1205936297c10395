package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The mode pages (SPC-4 §7.5, SBC-3 §6.5) with their current values; nothing can be changed yet, so the changeable masks are
 * zero and the defaults are the current values.
 */
enum ModePages {
    READ_WRITE_ERROR_RECOVERY(0x01, 12),
    CACHING(0x08, 20),
    CONTROL(0x0A, 12),
    INFORMATIONAL_EXCEPTIONS(0x1C, 12);

    /** Page code that asks for all pages. */
    static final int ALL = 0x3F;

    private static final int WCE = 0x04;
    private static final int GLTSD = 0x02;
    private static final int D_SENSE = 0x04;
    private static final int UNRESTRICTED_REORDERING = 0x10;
    private static final int TAS = 0x40;

    private final int code;
    private final int length;

    ModePages(int code, int length) {
        this.code = code;
        this.length = length;
    }

    boolean selectedBy(int page) {
        return page == ALL || page == code;
    }

    int length() {
        return length;
    }

    /** Writes the page into zeroed {@code data}; {@code changeable} asks for the mask of changeable bits. */
    void write(ByteBuffer data, int at, LogicalUnit unit, boolean changeable) {
        data.put(at, (byte) code);
        data.put(at + 1, (byte) (length - 2));
        if (changeable) {
            return;
        }
        switch (this) {
            case CACHING -> data.put(at + 2, (byte) (unit.store().writeCacheEnabled() ? WCE : 0));
            case CONTROL -> {
                data.put(at + 2, (byte) (GLTSD | (unit.descriptorSense() ? D_SENSE : 0)));
                data.put(at + 3, (byte) UNRESTRICTED_REORDERING);
                data.put(at + 5, (byte) TAS);
                data.putShort(at + 8, (short) 0xFFFF); // busy timeout: unlimited
            }
            case READ_WRITE_ERROR_RECOVERY, INFORMATIONAL_EXCEPTIONS -> {}
        }
    }
}
