package io.srpt.roce.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Buffers for {@code recvmmsg} with UDP_GRO: a message is one datagram, or a row of datagrams of one size, of which the last
 * may be shorter, that came from one sender and that the system put together. The control message tells the size.
 */
final class ReceiveBatch {
    /** A message and all that the system may put together in it. */
    private static final int MESSAGE_BYTES = 1 << 16;

    private final int count;
    private final Datagram datagram;
    private final SocketAddresses peers;
    private final MemorySegment messages;
    private final MemorySegment controls;
    /** Nobody looks at them here, but the messages point to them: they live as long as this. */
    @SuppressWarnings({"FieldCanBeLocal", "UnusedVariable"})
    private final MemorySegment vectors;

    ReceiveBatch(int count, boolean ipv4) {
        this.count = count;
        ByteBuffer slab = ByteBuffer.allocateDirect(count * MESSAGE_BYTES);
        datagram = new Datagram(slab, 0);
        peers = new SocketAddresses(count, ipv4);
        vectors = NativeDatagrams.allocate(count * NativeDatagrams.IOVEC_SIZE);
        controls = NativeDatagrams.allocate(count * NativeDatagrams.CONTROL_SIZE);
        messages = NativeDatagrams.allocate(count * NativeDatagrams.HEADER_SIZE);
        long base = MemorySegment.ofBuffer(slab).address();
        for (int i = 0; i < count; i++) {
            int vector = i * NativeDatagrams.IOVEC_SIZE;
            vectors.set(JAVA_LONG, vector, base + (long) i * MESSAGE_BYTES);
            vectors.set(JAVA_LONG, vector + NativeDatagrams.IOVEC_LENGTH, MESSAGE_BYTES);
            int message = i * NativeDatagrams.HEADER_SIZE;
            messages.set(JAVA_LONG, message + NativeDatagrams.NAME, peers.pointer(i));
            messages.set(JAVA_INT, message + NativeDatagrams.NAME_LENGTH, peers.length());
            messages.set(JAVA_LONG, message + NativeDatagrams.IOVEC, vectors.address() + vector);
            messages.set(JAVA_LONG, message + NativeDatagrams.IOVEC_COUNT, 1);
            messages.set(
                    JAVA_LONG,
                    message + NativeDatagrams.CONTROL,
                    controls.address() + (long) i * NativeDatagrams.CONTROL_SIZE);
            offerControl(i);
        }
    }

    int count() {
        return count;
    }

    /** For {@code recvmmsg}. */
    MemorySegment headers() {
        return messages;
    }

    boolean isTruncated(int index) {
        int flags = messages.get(JAVA_INT, index * NativeDatagrams.HEADER_SIZE + NativeDatagrams.FLAGS);
        return (flags & NativeDatagrams.MSG_TRUNC) != 0;
    }

    /** Bytes of message {@code index}. */
    int length(int index) {
        return messages.get(JAVA_INT, index * NativeDatagrams.HEADER_SIZE + NativeDatagrams.LENGTH);
    }

    /** Bytes of each datagram in message {@code index} but the last, and readies its control buffer for the next call. */
    int datagramLength(int index) {
        int message = index * NativeDatagrams.HEADER_SIZE;
        int size = length(index);
        if (messages.get(JAVA_LONG, message + NativeDatagrams.CONTROL_LENGTH) >= NativeDatagrams.CONTROL_GRO_LENGTH) {
            int control = index * NativeDatagrams.CONTROL_SIZE;
            if (controls.get(JAVA_INT, control + NativeDatagrams.CONTROL_LEVEL) == NativeDatagrams.IPPROTO_UDP
                    && controls.get(JAVA_INT, control + NativeDatagrams.CONTROL_TYPE) == NativeDatagrams.UDP_GRO) {
                size = controls.get(JAVA_INT, control + NativeDatagrams.CONTROL_DATA);
            }
        }
        offerControl(index);
        return size;
    }

    private void offerControl(int index) {
        messages.set(
                JAVA_LONG,
                index * NativeDatagrams.HEADER_SIZE + NativeDatagrams.CONTROL_LENGTH,
                NativeDatagrams.CONTROL_SIZE);
    }

    /** The datagram at {@code start} of message {@code index}, with its peer; valid until the next call. */
    Datagram datagram(int index, int start, int length) {
        if (start == 0) {
            peers.read(index, datagram);
        }
        return datagram.offset(index * MESSAGE_BYTES + start).length(length);
    }
}
