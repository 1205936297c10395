package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The vital product data pages (SPC-5 §7.7, SBC-4 §6.6): {@code qualifier and type | page | page length (2) | …}.
 *
 * <p>A LUN without unit has only page 00h.
 */
final class VpdPages {
    /** The longest page but {@link ScsiPorts}'s. */
    static final int MAX_LENGTH = 512;

    private static final int HEADER = 4;
    private static final int SUPPORTED_PAGES = 0x00;
    private static final int UNIT_SERIAL_NUMBER = 0x80;
    private static final int DEVICE_IDENTIFICATION = 0x83;
    private static final int EXTENDED_INQUIRY = 0x86;
    private static final int MODE_PAGE_POLICY = 0x87;
    private static final int SCSI_PORTS = 0x88;
    private static final int THIRD_PARTY_COPY = 0x8F;
    private static final int BLOCK_LIMITS = 0xB0;
    private static final int BLOCK_DEVICE_CHARACTERISTICS = 0xB1;
    private static final int LOGICAL_BLOCK_PROVISIONING = 0xB2;
    private static final byte[] PAGES = {
        SUPPORTED_PAGES,
        (byte) UNIT_SERIAL_NUMBER,
        (byte) DEVICE_IDENTIFICATION,
        (byte) EXTENDED_INQUIRY,
        (byte) MODE_PAGE_POLICY,
        (byte) SCSI_PORTS,
        (byte) THIRD_PARTY_COPY,
        (byte) BLOCK_LIMITS,
        (byte) BLOCK_DEVICE_CHARACTERISTICS,
        (byte) LOGICAL_BLOCK_PROVISIONING
    };

    private static final int NON_ROTATING = 0x0001;
    private static final int OPTIMAL_TRANSFER_BYTES = 1 << 20;

    private static final int HEADSUP = 0x04;
    private static final int ORDSUP = 0x02;
    private static final int SIMPSUP = 0x01;
    private static final int V_SUP = 0x01;
    private static final int LUICLR = 0x01;
    private static final int WSNZ = 0x01;
    private static final int NO_LIMIT = 0xFFFF_FFFF;
    private static final int UGAVALID = 0x8000_0000;
    private static final int WABEREQ_READS_COMPLETE = 0x40;
    private static final int LBPU = 0x80;
    private static final int LBPWS = 0x40;
    private static final int LBPWS10 = 0x20;
    private static final int LBPRZ = 0x04;
    private static final int FULLY_PROVISIONED = 0x01;
    private static final int THIN = 0x02;

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

    /** The most bytes that {@code page} may have with these ports. */
    static int maxLength(int page, TargetPorts ports) {
        return page == SCSI_PORTS ? HEADER + ScsiPorts.length(ports) : MAX_LENGTH;
    }

    /** Writes a supported page, asked by {@code task}, into zeroed {@code data}; returns its length, header included. */
    static int write(ByteBuffer data, ScsiTask task, int page) {
        LogicalUnit unit = task.unitIfAny();
        int body;
        if (unit == null) {
            data.put(0, (byte) InquiryCommand.NO_UNIT);
            body = 1;
        } else {
            body = page == SCSI_PORTS
                    ? ScsiPorts.write(data, HEADER, task.server().targetPorts())
                    : writeBody(data, unit, task.nexus().targetPort(), page);
        }
        data.put(1, (byte) page);
        data.putShort(2, (short) body);
        return HEADER + body;
    }

    private static int writeBody(ByteBuffer data, LogicalUnit unit, TargetPort port, int page) {
        return switch (page) {
            case UNIT_SERIAL_NUMBER -> writeSerial(data, unit.config());
            case DEVICE_IDENTIFICATION -> DeviceIdentification.write(data, HEADER, unit, port);
            case EXTENDED_INQUIRY -> writeExtendedInquiry(data, unit);
            case MODE_PAGE_POLICY -> writeModePagePolicy(data);
            case THIRD_PARTY_COPY -> ThirdPartyCopyPage.write(data, HEADER);
            case BLOCK_LIMITS -> writeBlockLimits(data, unit);
            case BLOCK_DEVICE_CHARACTERISTICS -> writeCharacteristics(data, unit);
            case LOGICAL_BLOCK_PROVISIONING -> writeProvisioning(data, unit);
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

    /** Task attributes at 5, V_SUP (a volatile cache) at 6, LUICLR at 7, the longest sense data at 13. */
    private static int writeExtendedInquiry(ByteBuffer data, LogicalUnit unit) {
        data.put(5, (byte) (HEADSUP | ORDSUP | SIMPSUP));
        data.put(6, (byte) (unit.store().writeCacheEnabled() ? V_SUP : 0));
        data.put(7, (byte) LUICLR);
        data.put(13, (byte) SenseData.MAX_LENGTH);
        return 0x3C;
    }

    /** One descriptor: all pages and subpages are shared by all nexuses. */
    private static int writeModePagePolicy(ByteBuffer data) {
        data.put(HEADER, (byte) ModePages.ALL);
        data.put(HEADER + 1, (byte) 0xFF);
        return 4;
    }

    /**
     * WSNZ at 4: WRITE SAME takes no length of 0. In blocks: COMPARE AND WRITE at 5 (1), granularity at 6 (2), maximum at 8 (4) and optimal transfer at 12 (4), UNMAP
     * blocks at 20 (4), descriptors at 24 (4), granularity at 28 (4) and alignment at 32 (4), WRITE SAME at 36 (8),
     * WRITE ATOMIC at 44 (4).
     */
    private static int writeBlockLimits(ByteBuffer data, LogicalUnit unit) {
        LogicalUnitConfig config = unit.config();
        int maximum = config.maxTransferBytes();
        data.put(4, (byte) WSNZ);
        data.put(5, (byte) CompareAndWriteCommand.maxBlocks(config));
        data.putShort(6, (short) (config.physicalBlockSize() / config.blockSize()));
        data.putInt(8, maximum / config.blockSize());
        data.putInt(12, Math.min(maximum, OPTIMAL_TRANSFER_BYTES) / config.blockSize());
        data.putLong(36, WriteSameCommand.maxBlocks(config));
        data.putInt(44, WriteAtomicCommand.maxBlocks(config));
        if (unit.thin()) {
            data.putInt(20, NO_LIMIT);
            data.putInt(24, UnmapCommand.MAX_DESCRIPTORS);
            int granularity = Math.max(unit.store().unmapGranularity(), config.physicalBlockSize());
            data.putInt(28, granularity / config.blockSize());
            data.putInt(32, UGAVALID);
        }
        return 0x3C;
    }

    /** Medium rotation rate at 4 (2): 0 says nothing. WABEREQ at 7: after a block erase, reads give data back. */
    private static int writeCharacteristics(ByteBuffer data, LogicalUnit unit) {
        data.putShort(4, (short) (unit.config().rotational() ? 0 : NON_ROTATING));
        data.put(7, (byte) (unit.thin() ? WABEREQ_READS_COMPLETE : 0));
        return 0x3C;
    }

    /** Threshold exponent at 4, what deallocates and LBPRZ at 5, the kind of provisioning at 6. */
    private static int writeProvisioning(ByteBuffer data, LogicalUnit unit) {
        if (unit.thin()) {
            data.put(4, (byte) SoftThreshold.EXPONENT);
            data.put(5, (byte) (LBPU | LBPWS | LBPWS10 | LBPRZ));
            data.put(6, (byte) THIN);
        } else {
            data.put(6, (byte) FULLY_PROVISIONED);
        }
        return 4;
    }
}
