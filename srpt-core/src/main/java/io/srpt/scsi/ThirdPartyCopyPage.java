package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The third-party copy page (SPC-4 §7.8.17): {@code type (2) | length (2) | …} for each of what is supported, padded to four
 * bytes.
 *
 * <pre>
 *  0001  commands      list length | { operation code | count | service actions } ...
 *  0004  limits        0 (4) | targets (2) | segments (2) | list length (4) | inline length (4) | 0 (12)
 *  0008  descriptors   count | types
 *  8001  operations    concurrent (4, 4) | segment bytes (4) | granularity of segments, of inline data | 0 (18)
 * </pre>
 */
final class ThirdPartyCopyPage {
    private static final int HEADER = 4;
    private static final int COMMANDS = 0x0001;
    private static final int LIMITS = 0x0004;
    private static final int DESCRIPTORS = 0x0008;
    private static final int OPERATIONS = 0x8001;
    private static final byte[] COMMAND_LIST = {
        (byte) ExtendedCopyCommand.OPERATION_CODE,
        1,
        ExtendedCopyCommand.SERVICE_ACTION,
        (byte) CopyResultsCommands.OPERATION_CODE,
        3,
        CopyResultsCommands.COPY_STATUS,
        CopyResultsCommands.OPERATING_PARAMETERS,
        CopyResultsCommands.FAILURE_DETAILS
    };

    private ThirdPartyCopyPage() {}

    /** Writes the page's body at {@code offset} of zeroed {@code data}; returns its length. */
    static int write(ByteBuffer data, int offset) {
        int at = list(data, offset, COMMANDS, COMMAND_LIST);

        data.putShort(at + HEADER + 4, (short) CopyParameters.MAX_TARGETS);
        data.putShort(at + HEADER + 6, (short) CopyParameters.MAX_SEGMENTS);
        data.putInt(at + HEADER + 8, CopyParameters.MAX_DESCRIPTORS_LENGTH);
        at = descriptor(data, at, LIMITS, 28);

        at = list(data, at, DESCRIPTORS, CopyParameters.DESCRIPTOR_TYPES);

        data.putInt(at + HEADER, CopyParameters.MAX_CONCURRENT);
        data.putInt(at + HEADER + 4, CopyParameters.MAX_CONCURRENT);
        data.putInt(at + HEADER + 8, CopyParameters.MAX_SEGMENT_BYTES);
        data.put(at + HEADER + 12, (byte) CopyParameters.GRANULARITY_EXPONENT);
        return descriptor(data, at, OPERATIONS, 32) - offset;
    }

    private static int list(ByteBuffer data, int at, int type, byte[] entries) {
        data.put(at + HEADER, (byte) entries.length);
        data.put(at + HEADER + 1, entries);
        return descriptor(data, at, type, 1 + entries.length + 3 & ~3);
    }

    /** Writes the header of a descriptor whose body of {@code length} bytes is there; returns where the next belongs. */
    private static int descriptor(ByteBuffer data, int at, int type, int length) {
        data.putShort(at, (short) type);
        data.putShort(at + 2, (short) length);
        return at + HEADER + length;
    }
}
