package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * INQUIRY (SPC-5 §6.7): standard data, and the vital product data pages of {@link VpdPages}.
 *
 * <pre>
 *   0  peripheral qualifier (3) | device type (5)      8  vendor (8)
 *   2  version 6                                      16  product (16)
 *   3  response data format 2                         32  revision (4)
 *   4  additional length 91                           58  version descriptors (2 each)
 *   5  TPGS (bits 5..4), 3PC 08h                       6  MULTIP 10h: there are several ports
 *                                                      7  CMDQUE 02h
 * </pre>
 *
 * <p>Version 6 is SPC-4's: programs of its time, libiscsi's suite among them, take nothing higher. What is newer is said by the
 * version descriptors.
 */
final class InquiryCommand implements ScsiCommand {
    /** Peripheral qualifier 3, type 1Fh: there is no such logical unit. */
    static final int NO_UNIT = 0x7F;

    static final int STANDARD_LENGTH = 96;

    private static final int EVPD = 0x01;
    private static final int VERSION_SPC4 = 0x06;
    private static final int RESPONSE_DATA_FORMAT = 0x02;
    private static final int TPGS_SHIFT = 4;
    private static final int THIRD_PARTY_COPY = 0x08;
    private static final int MULTIP = 0x10;
    private static final int CMDQUE = 0x02;
    /** SAM-6, SRP, SPC-5, SBC-4, SPC-4, SBC-3; each without a claim to one revision. */
    private static final short[] VERSION_DESCRIPTORS = {0x00C0, 0x0940, 0x05C0, 0x0600, 0x0460, 0x04C0};

    static void addTo(CommandTable table) {
        table.addAlwaysServed("INQUIRY", "12 01 ff ff ff 04", new InquiryCommand());
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        boolean vpd = (task.cdb().byteAt(1) & EVPD) != 0;
        int page = task.cdb().byteAt(2);
        if (vpd ? !VpdPages.supported(task.unitIfAny(), page) : page != 0) {
            return task.invalidField(2);
        }
        int bound = vpd ? VpdPages.maxLength(page, task.server().targetPorts()) : STANDARD_LENGTH;
        return task.wantDataIn(task.cdb().shortAt(3), bound);
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unitIfAny();
        if ((task.cdb().byteAt(1) & EVPD) == 0) {
            ByteBuffer data = task.server().scratch(STANDARD_LENGTH);
            writeStandard(data, unit);
            if (unit != null && unit.access() != null) {
                data.put(5, (byte)
                        (data.get(5) | task.server().asymmetricAccess().supported() << TPGS_SHIFT));
            }
            if (task.server().targetPorts().all().size() > 1) {
                data.put(6, (byte) MULTIP);
            }
            task.finishWithData(data, STANDARD_LENGTH);
        } else {
            int page = task.cdb().byteAt(2);
            ByteBuffer data =
                    task.server().scratch(VpdPages.maxLength(page, task.server().targetPorts()));
            task.finishWithData(data, VpdPages.write(data, task, page));
        }
    }

    private static void writeStandard(ByteBuffer data, @Nullable LogicalUnit unit) {
        data.put(0, (byte) (unit == null ? NO_UNIT : 0));
        data.put(2, (byte) VERSION_SPC4);
        data.put(3, (byte) RESPONSE_DATA_FORMAT);
        data.put(4, (byte) (STANDARD_LENGTH - 5));
        data.put(5, (byte) (unit == null ? 0 : THIRD_PARTY_COPY));
        data.put(7, (byte) CMDQUE);
        putText(data, 8, LogicalUnitConfig.VENDOR, 8);
        putText(data, 16, unit == null ? "" : unit.config().product(), 16);
        putText(data, 32, unit == null ? "" : unit.config().revision(), 4);
        for (int i = 0; i < VERSION_DESCRIPTORS.length; i++) {
            data.putShort(58 + i * Short.BYTES, VERSION_DESCRIPTORS[i]);
        }
    }

    /** ASCII, left-aligned, padded with spaces. */
    static void putText(ByteBuffer data, int offset, String text, int width) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        data.put(offset, bytes);
        for (int i = bytes.length; i < width; i++) {
            data.put(offset + i, (byte) ' ');
        }
    }
}
