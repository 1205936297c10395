package io.srpt.roce.net;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One datagram in a slot of a port: bytes from the BTH to the ICRC, and the peer. Slots are made once and reused: a
 * received datagram is valid during {@link DatagramReceiver#onDatagram} only, a claimed one until it is sent.
 *
 * <p>The payload of one to send may be {@linkplain #lend lent}, so that it is not copied twice on its way to the network:
 *
 * <pre>
 * slot      | headers | pad, ICRC |
 *                     ^ payload, in memory of somebody else
 * </pre>
 */
public final class Datagram {
    /** Bytes of a slot: a full packet of MTU 4096 with the longest headers, and room to spare. */
    public static final int CAPACITY = 4352;

    private final ByteBuffer buffer;
    private final int index;
    private int offset;
    private int length;
    private int identification;
    private @Nullable ByteBuffer payload;
    private long payloadAddress;
    private int payloadIndex;
    private int payloadStart;
    private int payloadLength;
    private long remoteHigh;
    private long remoteLow;
    private int remotePort;

    /** A slot on {@code buffer}, direct and big-endian, number {@code index} of its port. */
    public Datagram(ByteBuffer buffer, int index) {
        this.buffer = buffer;
        this.index = index;
    }

    /** A slot with memory of its own. */
    public static Datagram allocate(int index) {
        return new Datagram(ByteBuffer.allocateDirect(CAPACITY), index);
    }

    /** The slot's memory; the datagram starts at {@link #offset()}. Use absolute access. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Where the datagram starts in the buffer: 0 in a claimed slot, anywhere in one that came in a batch. */
    public int offset() {
        return offset;
    }

    Datagram offset(int index) {
        offset = index;
        return this;
    }

    /** The IPv4 identification that a datagram to send leaves with, which its ICRC covers. */
    public int identification() {
        return identification;
    }

    public Datagram identification(int value) {
        identification = value;
        return this;
    }

    /** The slot's number in its port. */
    int index() {
        return index;
    }

    /**
     * The payload of a claimed slot is {@code bytes} bytes at {@code at} of {@code memory}, direct memory, where {@code address} is;
     * it belongs to byte {@code start} of the packet, and what follows it in the packet follows byte {@code start} of the slot. The
     * memory is looked at until the port's next {@link DatagramPort#flush}, and must not change until then.
     */
    public void lend(int start, ByteBuffer memory, int at, long address, int bytes) {
        assert bytes > 0;
        payload = memory;
        payloadIndex = at;
        payloadAddress = address;
        payloadStart = start;
        payloadLength = bytes;
    }

    /** The memory that is lent; null if the whole datagram is in the slot. */
    public @Nullable ByteBuffer payload() {
        return payload;
    }

    /** Where the payload is in {@link #payload()}. */
    public int payloadIndex() {
        return payloadIndex;
    }

    /** Where the payload belongs: bytes before it. */
    public int payloadStart() {
        return payloadStart;
    }

    /** Bytes that are lent, 0 if none are. */
    public int payloadLength() {
        return payloadLength;
    }

    long payloadAddress() {
        return payloadAddress;
    }

    /** Nothing is lent. */
    Datagram reset() {
        payload = null;
        payloadLength = 0;
        return this;
    }

    /** Takes what is lent into the slot, so that the memory may change. */
    void settle() {
        ByteBuffer lent = payload;
        if (lent != null) {
            int tail = payloadStart + payloadLength;
            for (int i = length - tail - 1; i >= 0; i--) {
                buffer.put(tail + i, buffer.get(payloadStart + i));
            }
            buffer.put(payloadStart, lent, payloadIndex, payloadLength);
            reset();
        }
    }

    /** Bytes of the datagram. */
    public int length() {
        return length;
    }

    public Datagram length(int bytes) {
        length = bytes;
        return this;
    }

    /** The first 8 bytes of the peer's GID. */
    public long remoteHigh() {
        return remoteHigh;
    }

    /** The last 8 bytes of the peer's GID. */
    public long remoteLow() {
        return remoteLow;
    }

    /** The peer's UDP port. */
    public int remotePort() {
        return remotePort;
    }

    /** Whether the peer has the address {@code gid}. */
    public boolean isFrom(Gid gid) {
        return remoteLow == gid.low() && remoteHigh == gid.high();
    }

    /** Sets the peer. */
    public Datagram remote(long high, long low, int port) {
        remoteHigh = high;
        remoteLow = low;
        remotePort = port;
        return this;
    }

    /** Makes this slot hold what {@code other} holds. */
    Datagram copyFrom(Datagram other) {
        reset();
        ByteBuffer lent = other.payload;
        if (lent == null) {
            buffer.put(0, other.buffer, other.offset, other.length);
        } else {
            int start = other.payloadStart;
            int tail = start + other.payloadLength;
            buffer.put(0, other.buffer, 0, start);
            buffer.put(start, lent, other.payloadIndex, other.payloadLength);
            buffer.put(tail, other.buffer, start, other.length - tail);
        }
        offset = 0;
        length = other.length;
        identification = other.identification;
        return remote(other.remoteHigh, other.remoteLow, other.remotePort);
    }
}
