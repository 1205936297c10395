package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * Base transport header: the first 12 bytes of every RoCEv2 datagram (InfiniBand Architecture Specification, volume 1,
 * section 9.2).
 *
 * <pre>
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---------------+-+-+---+-------+-------------------------------+
 * 0 |    opcode     |S|M|pad|version|             P_Key             |
 *   +-+-+-----------+-+-+---+-------+-------------------------------+
 * 4 |F|B| reserved  |              destination QP                   |
 *   +-+-+-----------+-----------------------------------------------+
 * 8 |A|  reserved   |                     PSN                       |
 *   +-+-------------+-----------------------------------------------+
 * </pre>
 *
 * S solicited event, M migration request, F and B forward and backward congestion notification, A acknowledge request.
 * Byte 4 may change on the way and is masked in the ICRC.
 *
 * <p>A flyweight of one event loop; it keeps a reference to the buffer it wraps and nothing else.
 */
public final class Bth {

    public static final int LENGTH = 12;

    public static final int OPCODE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int PARTITION_KEY_OFFSET = 2;
    public static final int CONGESTION_OFFSET = 4;
    public static final int DESTINATION_QP_OFFSET = 5;
    public static final int ACK_REQUEST_OFFSET = 8;
    public static final int PSN_OFFSET = 9;

    /** The default partition, full membership. */
    public static final int DEFAULT_PARTITION_KEY = 0xFFFF;

    private static final int SOLICITED_EVENT = 0x80;
    private static final int MIGRATION_REQUEST = 0x40;
    private static final int PAD_SHIFT = 4;
    private static final int PAD_MASK = 0x30;
    private static final int VERSION_MASK = 0x0F;
    private static final int FECN = 0x80;
    private static final int BECN = 0x40;
    private static final int ACK_REQUEST = 0x80;

    private ByteBuffer buffer = Flyweight.UNWRAPPED;
    private int offset;

    /** Points this flyweight at the 12 bytes from {@code offset}; the caller has checked that they exist. */
    public Bth wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    /** Writes all 12 bytes in three stores: MigReq, FECN, BECN, version and the reserved bits become zero. */
    public Bth put(
            int opcode,
            boolean solicitedEvent,
            int padCount,
            int partitionKey,
            int destinationQp,
            boolean ackRequest,
            int psn) {
        int flags = (solicitedEvent ? SOLICITED_EVENT : 0) | padCount << PAD_SHIFT & PAD_MASK;
        buffer.putInt(offset, opcode << 24 | flags << 16 | partitionKey & 0xFFFF);
        buffer.putInt(offset + CONGESTION_OFFSET, destinationQp & Flyweight.MASK_24);
        buffer.putInt(offset + ACK_REQUEST_OFFSET, (ackRequest ? ACK_REQUEST << 24 : 0) | psn & Flyweight.MASK_24);
        return this;
    }

    /** The opcode, 0..255; see {@link Opcode}. */
    public int opcode() {
        return buffer.get(offset + OPCODE_OFFSET) & 0xFF;
    }

    public Bth opcode(int opcode) {
        buffer.put(offset + OPCODE_OFFSET, (byte) opcode);
        return this;
    }

    public boolean solicitedEvent() {
        return (buffer.get(offset + FLAGS_OFFSET) & SOLICITED_EVENT) != 0;
    }

    public Bth solicitedEvent(boolean value) {
        Flyweight.putBit(buffer, offset + FLAGS_OFFSET, SOLICITED_EVENT, value);
        return this;
    }

    /** MigReq. Some senders set it and some do not; receivers take both. */
    public boolean migrationRequest() {
        return (buffer.get(offset + FLAGS_OFFSET) & MIGRATION_REQUEST) != 0;
    }

    public Bth migrationRequest(boolean value) {
        Flyweight.putBit(buffer, offset + FLAGS_OFFSET, MIGRATION_REQUEST, value);
        return this;
    }

    /** Bytes of padding between payload and ICRC, 0..3. */
    public int padCount() {
        return (buffer.get(offset + FLAGS_OFFSET) & PAD_MASK) >> PAD_SHIFT;
    }

    public Bth padCount(int bytes) {
        int other = buffer.get(offset + FLAGS_OFFSET) & ~PAD_MASK;
        buffer.put(offset + FLAGS_OFFSET, (byte) (other | bytes << PAD_SHIFT & PAD_MASK));
        return this;
    }

    /** Transport header version; 0 is the only one there is. */
    public int version() {
        return buffer.get(offset + FLAGS_OFFSET) & VERSION_MASK;
    }

    public Bth version(int version) {
        int other = buffer.get(offset + FLAGS_OFFSET) & ~VERSION_MASK;
        buffer.put(offset + FLAGS_OFFSET, (byte) (other | version & VERSION_MASK));
        return this;
    }

    public int partitionKey() {
        return buffer.getShort(offset + PARTITION_KEY_OFFSET) & 0xFFFF;
    }

    public Bth partitionKey(int partitionKey) {
        buffer.putShort(offset + PARTITION_KEY_OFFSET, (short) partitionKey);
        return this;
    }

    public boolean fecn() {
        return (buffer.get(offset + CONGESTION_OFFSET) & FECN) != 0;
    }

    public Bth fecn(boolean value) {
        Flyweight.putBit(buffer, offset + CONGESTION_OFFSET, FECN, value);
        return this;
    }

    public boolean becn() {
        return (buffer.get(offset + CONGESTION_OFFSET) & BECN) != 0;
    }

    public Bth becn(boolean value) {
        Flyweight.putBit(buffer, offset + CONGESTION_OFFSET, BECN, value);
        return this;
    }

    /** The 24-bit number of the queue pair this packet is for. */
    public int destinationQp() {
        return buffer.getInt(offset + CONGESTION_OFFSET) & Flyweight.MASK_24;
    }

    public Bth destinationQp(int queuePairNumber) {
        Flyweight.putLow24(buffer, offset + CONGESTION_OFFSET, queuePairNumber);
        return this;
    }

    public boolean ackRequest() {
        return (buffer.get(offset + ACK_REQUEST_OFFSET) & ACK_REQUEST) != 0;
    }

    public Bth ackRequest(boolean value) {
        Flyweight.putBit(buffer, offset + ACK_REQUEST_OFFSET, ACK_REQUEST, value);
        return this;
    }

    /** The 24-bit packet sequence number; see {@link Psn}. */
    public int psn() {
        return buffer.getInt(offset + ACK_REQUEST_OFFSET) & Flyweight.MASK_24;
    }

    public Bth psn(int psn) {
        Flyweight.putLow24(buffer, offset + ACK_REQUEST_OFFSET, psn);
        return this;
    }
}
