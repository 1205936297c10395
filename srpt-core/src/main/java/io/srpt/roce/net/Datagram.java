package io.srpt.roce.net;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * One datagram in a slot of a port: bytes from the BTH to the ICRC, and the peer. Slots are made once and reused: a
 * received datagram is valid during {@link DatagramReceiver#onDatagram} only, a claimed one until it is sent.
 */
public final class Datagram {
    /** Bytes of a slot: a full packet of MTU 4096 with the longest headers, and room to spare. */
    public static final int CAPACITY = 4352;

    private final ByteBuffer buffer;
    private final int index;
    private int offset;
    private int length;
    private int identification;
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
        buffer.put(0, other.buffer, other.offset, other.length);
        offset = 0;
        length = other.length;
        identification = other.identification;
        return remote(other.remoteHigh, other.remoteLow, other.remotePort);
    }
}
