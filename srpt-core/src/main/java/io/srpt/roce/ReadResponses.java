package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.PathMtu;
import io.srpt.roce.packet.Psn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** RDMA READ requests that are being answered, in order, in a ring of preallocated entries. */
final class ReadResponses {
    /** Room beside the negotiated number for READs that are asked for again. */
    private static final int REPEATED = 4;

    private final int maxInboundReads;
    private final Entry[] ring;
    private int head;
    private int count;

    ReadResponses(int maxInboundReads) {
        this.maxInboundReads = maxInboundReads;
        ring = new Entry[maxInboundReads + REPEATED];
        Arrays.setAll(ring, i -> new Entry());
    }

    /** Whether the peer may ask for another READ without breaking the agreement. */
    boolean hasRoomForNew() {
        return count < maxInboundReads;
    }

    boolean hasRoom() {
        return count < ring.length;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void clear() {
        while (count > 0) {
            remove();
        }
    }

    void add(int firstPsn, int packets, int msn, RoceMemoryRegion region, long address, long bytes) {
        Entry entry = ring[(head + count) % ring.length];
        entry.firstPsn = firstPsn;
        entry.packets = packets;
        entry.msn = msn;
        entry.region = region;
        entry.address = address;
        entry.bytes = bytes;
        entry.next = 0;
        count++;
    }

    private void remove() {
        ring[head].region = null;
        head = (head + 1) % ring.length;
        count--;
    }

    /** Sends the next response packet; false if its memory went out of use meanwhile. */
    boolean sendNext(Datagram slot, PacketBuilder packets, PathMtu mtu) {
        Entry entry = ring[head];
        RoceMemoryRegion region = entry.region;
        if (region == null || !region.isValid()) {
            return false;
        }
        boolean first = entry.next == 0;
        boolean last = entry.next == entry.packets - 1;
        long offset = (long) entry.next * mtu.bytes();
        int length = (int) Math.min(entry.bytes - offset, mtu.bytes());
        int index = length == 0 ? 0 : region.indexOf(entry.address + offset);
        packets.readResponse(
                slot,
                opcode(first, last),
                Psn.add(entry.firstPsn, entry.next),
                entry.msn,
                AethSyndrome.ACK_NO_CREDITS,
                region.buffer(),
                index,
                length);
        entry.next++;
        if (last) {
            remove();
        }
        return true;
    }

    private static int opcode(boolean first, boolean last) {
        if (first) {
            return last ? Opcode.RC_READ_RESPONSE_ONLY : Opcode.RC_READ_RESPONSE_FIRST;
        }
        return last ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
    }

    private static final class Entry {
        private int firstPsn;
        private int packets;
        private int msn;
        private @Nullable RoceMemoryRegion region;
        private long address;
        private long bytes;
        private int next;
    }
}
