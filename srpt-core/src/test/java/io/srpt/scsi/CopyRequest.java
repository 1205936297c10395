package io.srpt.scsi;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Builds parameter lists of EXTENDED COPY(LID1). */
final class CopyRequest {
    private final ByteArrayOutputStream targets = new ByteArrayOutputStream();
    private final ByteArrayOutputStream segments = new ByteArrayOutputStream();
    private final int listId;
    private final int usage;

    CopyRequest(int listId) {
        this(listId, 0);
    }

    CopyRequest(int listId, int usage) {
        this.listId = listId;
        this.usage = usage;
    }

    /** The NAA identifier of {@code unit}. */
    CopyRequest target(LogicalUnit unit) {
        ByteBuffer descriptor = ByteBuffer.allocate(32)
                .put(0, (byte) 0xE4)
                .put(4, (byte) 1)
                .put(5, (byte) 3)
                .put(7, (byte) 16)
                .put(8, unit.naaIdentifier())
                .putInt(28, unit.config().blockSize());
        return target(descriptor.array());
    }

    CopyRequest target(byte[] descriptor) {
        targets.writeBytes(descriptor);
        return this;
    }

    /** {@code blocks} of the source, or of the destination with {@code byDestination}. */
    CopyRequest blocks(int source, long from, int destination, long to, int blocks, boolean byDestination) {
        segments.writeBytes(ByteBuffer.allocate(28)
                .put(0, (byte) 0x02)
                .put(1, (byte) (byDestination ? 2 : 0))
                .putShort(2, (short) 0x18)
                .putShort(4, (short) source)
                .putShort(6, (short) destination)
                .putShort(10, (short) blocks)
                .putLong(12, from)
                .putLong(20, to)
                .array());
        return this;
    }

    CopyRequest bytes(int source, long from, int fromByte, int destination, long to, int toByte, int bytes) {
        segments.writeBytes(ByteBuffer.allocate(32)
                .put(0, (byte) 0x0A)
                .putShort(2, (short) 0x1C)
                .putShort(4, (short) source)
                .putShort(6, (short) destination)
                .putInt(8, bytes)
                .putLong(12, from)
                .putLong(20, to)
                .putShort(28, (short) fromByte)
                .putShort(30, (short) toByte)
                .array());
        return this;
    }

    byte[] list() {
        return ByteBuffer.allocate(16 + targets.size() + segments.size())
                .put((byte) listId)
                .put((byte) (usage << 3))
                .putShort((short) targets.size())
                .putInt(0)
                .putInt(segments.size())
                .putInt(0)
                .put(targets.toByteArray())
                .put(segments.toByteArray())
                .array();
    }

    static String cdb(int length) {
        return "83 00 00 00 00 00 00 00 00 00" + HexFormat.of().toHexDigits(length) + "00 00";
    }

    /** The CDB for {@link #list()}. */
    String cdb() {
        return cdb(list().length);
    }
}
