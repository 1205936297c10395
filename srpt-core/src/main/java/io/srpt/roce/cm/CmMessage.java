package io.srpt.roce.cm;

import io.srpt.mad.MadHeader;
import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * What the connection manager's message flyweights share. A message is the 232 bytes behind the common MAD header; all
 * begin with the sender's communication id, and all but REQ go on with the receiver's.
 *
 * <p>A flyweight of one event loop. Getters are package-private names of the specification's fields.
 *
 * @param <M> the message, for fluent setters
 */
abstract class CmMessage<M extends CmMessage<M>> {
    /** Bytes of every message. */
    static final int LENGTH = MadHeader.MAD_LENGTH - MadHeader.LENGTH;

    static final int LOCAL_COMM_ID_OFFSET = 0;
    static final int REMOTE_COMM_ID_OFFSET = 4;

    /** Values of MessageMRAed and MessageREJected. */
    static final int MESSAGE_REQ = 0;

    static final int MESSAGE_REP = 1;
    static final int MESSAGE_OTHER = 2;

    private static final ByteBuffer UNWRAPPED = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private ByteBuffer buffer = UNWRAPPED;
    private int offset;

    abstract M self();

    /** Points this flyweight at the 232 bytes from {@code newOffset}; the caller has checked that they exist. */
    final M wrap(ByteBuffer newBuffer, int newOffset) {
        buffer = newBuffer;
        offset = newOffset;
        return self();
    }

    final int localCommunicationId() {
        return getInt(LOCAL_COMM_ID_OFFSET);
    }

    final M localCommunicationId(int id) {
        return putInt(LOCAL_COMM_ID_OFFSET, id);
    }

    /** A copy of {@code length} bytes. */
    final byte[] getBytes(int at, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset + at, bytes);
        return bytes;
    }

    final M putBytes(int at, byte[] bytes) {
        buffer.put(offset + at, bytes);
        return self();
    }

    final int getByte(int at) {
        return buffer.get(offset + at) & 0xFF;
    }

    final M putByte(int at, int value) {
        buffer.put(offset + at, (byte) value);
        return self();
    }

    final int getShort(int at) {
        return buffer.getShort(offset + at) & 0xFFFF;
    }

    final M putShort(int at, int value) {
        buffer.putShort(offset + at, (short) value);
        return self();
    }

    /** Three bytes; the message has a fourth behind them. */
    final int get24(int at) {
        return buffer.getInt(offset + at) >>> 8;
    }

    /** Writes three bytes and keeps the fourth. */
    final M put24(int at, int value) {
        buffer.putInt(offset + at, value << 8 | getByte(at + 3));
        return self();
    }

    final int getInt(int at) {
        return buffer.getInt(offset + at);
    }

    final M putInt(int at, int value) {
        buffer.putInt(offset + at, value);
        return self();
    }

    final long getLong(int at) {
        return buffer.getLong(offset + at);
    }

    final M putLong(int at, long value) {
        buffer.putLong(offset + at, value);
        return self();
    }

    final Gid getGid(int at) {
        return Gid.read(buffer, offset + at);
    }

    final M putGid(int at, Gid gid) {
        gid.write(buffer, offset + at);
        return self();
    }

    /** {@code width} bits of a byte, from bit {@code shift} on. */
    final int getBits(int at, int shift, int width) {
        return getByte(at) >>> shift & (1 << width) - 1;
    }

    /** Writes {@code width} bits of a byte and keeps the others. */
    final M putBits(int at, int shift, int width, int value) {
        int mask = (1 << width) - 1 << shift;
        return putByte(at, getByte(at) & ~mask | value << shift & mask);
    }
}
