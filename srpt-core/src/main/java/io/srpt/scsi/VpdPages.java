package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The vital product data pages (SPC-4 §7.8, SBC-3 §6.6): {@code qualifier and type | page | page length (2) | …}.
 *
 * <p>A LUN without unit has only page 00h.
 */
final class VpdPages {
    static final int MAX_LENGTH = 256;

    private static final int HEADER = 4;
    private static final int SUPPORTED_PAGES = 0x00;
    private static final int UNIT_SERIAL_NUMBER = 0x80;
    private static final int DEVICE_IDENTIFICATION = 0x83;
    private static final int BLOCK_LIMITS = 0xB0;
    private static final int BLOCK_DEVICE_CHARACTERISTICS = 0xB1;
    private static final int LOGICAL_BLOCK_PROVISIONING = 0xB2;
    private static final byte[] PAGES = {
        SUPPORTED_PAGES,
        (byte) UNIT_SERIAL_NUMBER,
        (byte) DEVICE_IDENTIFICATION,
        (byte) BLOCK_LIMITS,
        (byte) BLOCK_DEVICE_CHARACTERISTICS,
        (byte) LOGICAL_BLOCK_PROVISIONING
    };

    private static final int CODE_SET_BINARY = 0x01;
    private static final int CODE_SET_ASCII = 0x02;
    private static final int TYPE_T10_VENDOR_ID = 0x01;
    private static final int TYPE_NAA = 0x03;
    private static final int NON_ROTATING = 0x0001;
    private static final int OPTIMAL_TRANSFER_BYTES = 1 << 20;

    private VpdPages() {}

    static boolean supported(@Nullable LogicalUnit unit, int page) {
        if (unit == null) {
            return page == SUPPORTED_PAGES;
        }
        for (byte each : PAGES) {
            if ((each & 0xFF) == page) {
                return true;
            }
        }
        return false;
    }

    /** Writes a supported page into zeroed {@code data}; returns its length, header included. */
    static int write(ByteBuffer data, @Nullable LogicalUnit unit, int page) {
        int body;
        if (unit == null) {
            data.put(0, (byte) InquiryCommand.NO_UNIT);
            body = 1;
        } else {
            body = writeBody(data, unit, page);
        }
        data.put(1, (byte) page);
        data.putShort(2, (short) body);
        return HEADER + body;
    }

    private static int writeBody(ByteBuffer data, LogicalUnit unit, int page) {
        return switch (page) {
            case UNIT_SERIAL_NUMBER -> writeSerial(data, unit.config());
            case DEVICE_IDENTIFICATION -> writeIdentification(data, unit);
            case BLOCK_LIMITS -> writeBlockLimits(data, unit.config());
            case BLOCK_DEVICE_CHARACTERISTICS -> writeCharacteristics(data, unit.config());
            case LOGICAL_BLOCK_PROVISIONING -> 4;
            default -> {
                data.put(HEADER, PAGES);
                yield PAGES.length;
            }
        };
    }

    private static int writeSerial(ByteBuffer data, LogicalUnitConfig config) {
        InquiryCommand.putText(data, HEADER, config.serial(), 0);
        return config.serial().length();
    }

    /** Designators of the logical unit: NAA first, since hosts take the first of the best kind, then T10 vendor id. */
    private static int writeIdentification(ByteBuffer data, LogicalUnit unit) {
        byte[] naa = unit.naaIdentifier();
        int at = HEADER;
        putDesignatorHeader(data, at, CODE_SET_BINARY, TYPE_NAA, naa.length);
        data.put(at + 4, naa);
        at += 4 + naa.length;

        LogicalUnitConfig config = unit.config();
        int length = 24 + config.serial().length();
        putDesignatorHeader(data, at, CODE_SET_ASCII, TYPE_T10_VENDOR_ID, length);
        InquiryCommand.putText(data, at + 4, LogicalUnitConfig.VENDOR, 8);
        InquiryCommand.putText(data, at + 12, config.product(), 16);
        InquiryCommand.putText(data, at + 28, config.serial(), 0);
        return at + 4 + length - HEADER;
    }

    private static void putDesignatorHeader(ByteBuffer data, int at, int codeSet, int type, int length) {
        data.put(at, (byte) codeSet);
        data.put(at + 1, (byte) type);
        data.put(at + 3, (byte) length);
    }

    /** Granularity at 6 (2), maximum at 8 (4) and optimal transfer length at 12 (4), in blocks. */
    private static int writeBlockLimits(ByteBuffer data, LogicalUnitConfig config) {
        int maximum = config.maxTransferBytes();
        data.putShort(6, (short) (config.physicalBlockSize() / config.blockSize()));
        data.putInt(8, maximum / config.blockSize());
        data.putInt(12, Math.min(maximum, OPTIMAL_TRANSFER_BYTES) / config.blockSize());
        return 0x3C;
    }

    /** Medium rotation rate at 4 (2): 0 says nothing. */
    private static int writeCharacteristics(ByteBuffer data, LogicalUnitConfig config) {
        data.putShort(4, (short) (config.rotational() ? 0 : NON_ROTATING));
        return 0x3C;
    }
}
