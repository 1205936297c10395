package io.srpt.roce.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A ring of slots to send from, and the messages that hold them. With segmentation a message holds a row of datagrams that
 * go to one peer: all of one size but the last, which may be shorter. The system cuts it again (UDP_SEGMENT) and numbers the
 * IPv4 identification of the pieces from 0.
 *
 * <pre>
 * slots      | 4148 | 4148 | 84 | 4148 | 84 | 60 |
 * messages   | 0: three slots   | 1: two    | 2  |
 * </pre>
 *
 * <p>The system gathers each datagram from three vectors, of which two are empty unless its payload is lent:
 *
 * <pre>
 * vectors    | slot: headers | lent payload | slot: pad, ICRC |
 * </pre>
 */
final class SendRing {
    /** More pieces the system does not cut; nor more bytes than an IPv4 datagram holds. */
    private static final int MAX_PIECES = 64;

    private static final int MAX_BYTES = 65_507;
    private static final int VECTORS = 3;
    private static final int VECTORS_SIZE = VECTORS * NativeDatagrams.IOVEC_SIZE;

    private final int size;
    private final boolean segmenting;
    private final int scope;
    private final Datagram[] slots;
    private final SocketAddresses peers;
    private final MemorySegment vectors;
    private final long slab;
    private final MemorySegment controls;
    private final MemorySegment messages;
    private final MemorySegment[] messagesFrom;
    private final int[] pieces;
    private int slotHead;
    private int slotTail;
    private int messageHead;
    private int messageTail;
    /** Bytes of each piece of the last message but its last; 0 when nothing may be added to it. */
    private int pieceLength;

    private int messageBytes;

    /**
     * @param size slots, a power of two
     * @param scope the interface of link-local peers
     */
    SendRing(int size, boolean ipv4, int scope, boolean segmenting) {
        this.size = size;
        this.scope = scope;
        this.segmenting = segmenting;
        ByteBuffer memory = ByteBuffer.allocateDirect(size * Datagram.CAPACITY);
        slots = new Datagram[size];
        pieces = new int[size];
        peers = new SocketAddresses(size, ipv4);
        vectors = NativeDatagrams.allocate(size * VECTORS_SIZE);
        controls = NativeDatagrams.allocate(size * NativeDatagrams.CONTROL_SIZE);
        messages = NativeDatagrams.allocate(size * NativeDatagrams.HEADER_SIZE);
        messagesFrom = new MemorySegment[size];
        slab = MemorySegment.ofBuffer(memory).address();
        for (int i = 0; i < size; i++) {
            slots[i] = new Datagram(memory.slice(i * Datagram.CAPACITY, Datagram.CAPACITY), i);
            vectors.set(JAVA_LONG, i * VECTORS_SIZE, slab + (long) i * Datagram.CAPACITY);
            int message = i * NativeDatagrams.HEADER_SIZE;
            messages.set(JAVA_INT, message + NativeDatagrams.NAME_LENGTH, peers.length());
            int control = i * NativeDatagrams.CONTROL_SIZE;
            messages.set(JAVA_LONG, message + NativeDatagrams.CONTROL, controls.address() + control);
            controls.set(JAVA_LONG, control, NativeDatagrams.CONTROL_SEGMENT_LENGTH);
            controls.set(JAVA_INT, control + NativeDatagrams.CONTROL_LEVEL, NativeDatagrams.IPPROTO_UDP);
            controls.set(JAVA_INT, control + NativeDatagrams.CONTROL_TYPE, NativeDatagrams.UDP_SEGMENT);
            messagesFrom[i] = messages.asSlice(message);
        }
    }

    boolean isFull() {
        return slotTail - slotHead == size;
    }

    boolean isEmpty() {
        return slotTail == slotHead;
    }

    /** The next slot; null when all are on their way. */
    @Nullable
    Datagram claim() {
        return isFull() ? null : slots[slotTail & size - 1].reset();
    }

    /** The place in the last message that a datagram of {@code length} bytes in the claimed slot would have; 0 in a new one. */
    int placeOf(Datagram datagram, int length) {
        if (pieceLength == 0 || length > pieceLength || messageBytes + length > MAX_BYTES) {
            return 0;
        }
        int last = messageTail - 1 & size - 1;
        Datagram before = slots[slotTail - 1 & size - 1];
        boolean joins = pieces[last] < MAX_PIECES
                // The slots of a message lie side by side.
                && datagram.index() != 0
                && before.remoteLow() == datagram.remoteLow()
                && before.remoteHigh() == datagram.remoteHigh();
        return joins ? pieces[last] : 0;
    }

    /** Queues the claimed slot: its identification says whether it joins the last message. */
    void add(Datagram datagram) {
        assert datagram == slots[slotTail & size - 1] : "not the slot that was claimed last";
        setVectors(datagram);
        if (datagram.identification() == 0) {
            begin(datagram);
        } else {
            join(datagram);
        }
        slotTail++;
    }

    private void setVectors(Datagram datagram) {
        int vector = datagram.index() * VECTORS_SIZE;
        int lent = datagram.payloadLength();
        int start = lent == 0 ? datagram.length() : datagram.payloadStart();
        vectors.set(JAVA_LONG, vector + NativeDatagrams.IOVEC_LENGTH, start);
        vector += NativeDatagrams.IOVEC_SIZE;
        if (lent != 0) {
            vectors.set(JAVA_LONG, vector, datagram.payloadAddress());
            vectors.set(
                    JAVA_LONG,
                    vector + NativeDatagrams.IOVEC_SIZE,
                    slab + (long) datagram.index() * Datagram.CAPACITY + start);
        }
        vectors.set(JAVA_LONG, vector + NativeDatagrams.IOVEC_LENGTH, lent);
        vectors.set(
                JAVA_LONG,
                vector + NativeDatagrams.IOVEC_SIZE + NativeDatagrams.IOVEC_LENGTH,
                datagram.length() - start - lent);
    }

    /** Vectors of the datagram that are not empty at its end. */
    private static int vectorCount(Datagram datagram) {
        return datagram.payloadLength() == 0 ? 1 : VECTORS;
    }

    /** Takes what is lent to datagrams that wait into their slots. */
    void settle() {
        for (int i = slotHead; i != slotTail; i++) {
            Datagram datagram = slots[i & size - 1];
            if (datagram.payloadLength() != 0) {
                datagram.settle();
                setVectors(datagram);
            }
        }
    }

    private void begin(Datagram datagram) {
        int index = messageTail++ & size - 1;
        pieces[index] = 1;
        pieceLength = segmenting ? datagram.length() : 0;
        messageBytes = datagram.length();
        peers.write(datagram.index(), datagram, scope);
        int message = index * NativeDatagrams.HEADER_SIZE;
        messages.set(JAVA_LONG, message + NativeDatagrams.NAME, peers.pointer(datagram.index()));
        messages.set(
                JAVA_LONG, message + NativeDatagrams.IOVEC, vectors.address() + (long) datagram.index() * VECTORS_SIZE);
        messages.set(JAVA_LONG, message + NativeDatagrams.IOVEC_COUNT, vectorCount(datagram));
        messages.set(JAVA_LONG, message + NativeDatagrams.CONTROL_LENGTH, 0);
    }

    private void join(Datagram datagram) {
        int index = messageTail - 1 & size - 1;
        assert pieces[index] == datagram.identification() : "a place that nobody was given";
        pieces[index]++;
        messageBytes += datagram.length();
        int message = index * NativeDatagrams.HEADER_SIZE;
        int before = (pieces[index] - 1) * VECTORS;
        messages.set(JAVA_LONG, message + NativeDatagrams.IOVEC_COUNT, before + vectorCount(datagram));
        messages.set(JAVA_LONG, message + NativeDatagrams.CONTROL_LENGTH, NativeDatagrams.CONTROL_SIZE);
        controls.set(
                JAVA_SHORT, index * NativeDatagrams.CONTROL_SIZE + NativeDatagrams.CONTROL_DATA, (short) pieceLength);
        if (datagram.length() < pieceLength) {
            pieceLength = 0;
        }
    }

    /** The last message is complete: it may be on its way. */
    void seal() {
        pieceLength = 0;
    }

    /** For {@code sendmmsg}: the oldest message, and {@link #contiguous} ones from it on. */
    MemorySegment headers() {
        return messagesFrom[messageHead & size - 1];
    }

    /** Messages that lie side by side from the oldest on, at most {@code limit}. */
    int contiguous(int limit) {
        return Math.min(limit, Math.min(messageTail - messageHead, size - (messageHead & size - 1)));
    }

    /** The {@code count} oldest messages are gone; returns how many datagrams those were. */
    int release(int count) {
        int released = 0;
        for (int i = 0; i < count; i++) {
            released += pieces[messageHead++ & size - 1];
        }
        for (int i = 0; i < released; i++) {
            slots[slotHead++ & size - 1].reset();
        }
        return released;
    }
}
