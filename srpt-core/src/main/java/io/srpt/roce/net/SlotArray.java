package io.srpt.roce.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.srpt.roce.packet.FlowHeader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Slots with their message headers, vectors and peer addresses, laid out once. */
final class SlotArray {
    private final int count;
    private final int slotBytes;
    private final boolean ipv4;
    private final ByteBuffer slab;
    private final MemorySegment vectors;
    private final MemorySegment peers;
    private final MemorySegment messages;
    private final MemorySegment[] messagesFrom;

    SlotArray(int count, int slotBytes, boolean ipv4) {
        this.count = count;
        this.slotBytes = slotBytes;
        this.ipv4 = ipv4;
        slab = ByteBuffer.allocateDirect(count * slotBytes);
        vectors = direct(count * NativeDatagrams.IOVEC_SIZE);
        peers = direct(count * NativeDatagrams.ADDRESS_SIZE);
        messages = direct(count * NativeDatagrams.HEADER_SIZE);
        messagesFrom = new MemorySegment[count];
        long base = MemorySegment.ofBuffer(slab).address();
        for (int i = 0; i < count; i++) {
            lay(i, base + (long) i * slotBytes);
        }
    }

    private static MemorySegment direct(int bytes) {
        return MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
    }

    private void lay(int index, long address) {
        int vector = index * NativeDatagrams.IOVEC_SIZE;
        int message = index * NativeDatagrams.HEADER_SIZE;
        int peer = index * NativeDatagrams.ADDRESS_SIZE;
        vectors.set(JAVA_LONG, vector, address);
        vectors.set(JAVA_LONG, vector + NativeDatagrams.IOVEC_LENGTH, slotBytes);
        messages.set(JAVA_LONG, message + NativeDatagrams.NAME, peers.address() + peer);
        messages.set(
                JAVA_INT,
                message + NativeDatagrams.NAME_LENGTH,
                ipv4 ? NativeDatagrams.SOCKADDR_IN_LENGTH : NativeDatagrams.SOCKADDR_IN6_LENGTH);
        messages.set(JAVA_LONG, message + NativeDatagrams.IOVEC, vectors.address() + vector);
        messages.set(JAVA_LONG, message + NativeDatagrams.IOVEC_COUNT, 1);
        peers.set(JAVA_SHORT, peer, ipv4 ? NativeDatagrams.AF_INET : NativeDatagrams.AF_INET6);
        peers.set(JAVA_SHORT, peer + 2, networkOrder((short) FlowHeader.ROCE_PORT));
        messagesFrom[index] = messages.asSlice(message);
    }

    Datagram[] datagrams() {
        Datagram[] datagrams = new Datagram[count];
        for (int i = 0; i < count; i++) {
            datagrams[i] = new Datagram(slab.slice(i * slotBytes, slotBytes), i);
        }
        return datagrams;
    }

    MemorySegment headers(int first) {
        return messagesFrom[first];
    }

    int flags(int index) {
        return messages.get(JAVA_INT, index * NativeDatagrams.HEADER_SIZE + NativeDatagrams.FLAGS);
    }

    int length(int index) {
        return messages.get(JAVA_INT, index * NativeDatagrams.HEADER_SIZE + NativeDatagrams.LENGTH);
    }

    void readPeer(int index, Datagram datagram) {
        int peer = index * NativeDatagrams.ADDRESS_SIZE;
        int port = networkOrder(peers.get(JAVA_SHORT, peer + 2)) & 0xFFFF;
        if (ipv4) {
            long address = networkOrder(peers.get(JAVA_INT, peer + 4)) & 0xFFFF_FFFFL;
            datagram.remote(0, 0xFFFF_0000_0000L | address, port);
        } else {
            datagram.remote(
                    networkOrder(peers.get(JAVA_LONG, peer + 8)), networkOrder(peers.get(JAVA_LONG, peer + 16)), port);
        }
    }

    void writePeer(int index, Datagram datagram, int scope) {
        int peer = index * NativeDatagrams.ADDRESS_SIZE;
        vectors.set(JAVA_LONG, index * NativeDatagrams.IOVEC_SIZE + NativeDatagrams.IOVEC_LENGTH, datagram.length());
        if (ipv4) {
            peers.set(JAVA_INT, peer + 4, networkOrder((int) datagram.remoteLow()));
        } else {
            peers.set(JAVA_LONG, peer + 8, networkOrder(datagram.remoteHigh()));
            peers.set(JAVA_LONG, peer + 16, networkOrder(datagram.remoteLow()));
            peers.set(JAVA_INT, peer + 24, isLinkLocal(datagram.remoteHigh()) ? scope : 0);
        }
    }

    private static boolean isLinkLocal(long high) {
        return high >>> 54 == 0xFE80L >>> 6;
    }

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static short networkOrder(short value) {
        return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
    }

    private static int networkOrder(int value) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    private static long networkOrder(long value) {
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }
}
