package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The command descriptor block of a task, copied from where it came. Fields are unsigned and big-endian, offsets are bytes from
 * the operation code on (SPC-5 4.2). A field behind the end has the value that an earlier command left: what is read is checked
 * against the length that the {@link CommandDescriptor} asks for before any command sees it.
 */
final class Cdb {
    /** Longest one that is looked at: that of a variable-length command. */
    static final int MAX_LENGTH = 260;

    private final ByteBuffer bytes = ByteBuffer.allocate(MAX_LENGTH);
    private int length;

    void copy(ByteBuffer from, int offset, int bytesThere) {
        length = Math.min(bytesThere, MAX_LENGTH);
        bytes.put(0, from, offset, length);
    }

    int length() {
        return length;
    }

    int byteAt(int offset) {
        return bytes.get(offset) & 0xFF;
    }

    int shortAt(int offset) {
        return bytes.getShort(offset) & 0xFFFF;
    }

    long intAt(int offset) {
        return bytes.getInt(offset) & 0xFFFF_FFFFL;
    }

    /** The one field that can be negative, as no block address is that large. */
    long longAt(int offset) {
        return bytes.getLong(offset);
    }

    /** What kind of command it is. */
    OperationKind operation() {
        return length == 0 ? OperationKind.OTHER : OperationKind.of(bytes.get(0));
    }
}
