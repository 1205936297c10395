package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.AethSyndrome;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.PathMtu;
import io.srpt.roce.packet.Psn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * RDMA READ requests that are being answered, in order, in a ring of preallocated entries.
 *
 * <p>The agreed number of READs bounds what the peer waits for, not what is in the ring: what it has asked for again, and
 * then received after all, may be here beside its new READs. So a new READ is never refused; when the ring is full the
 * oldest answer, which the peer has or will ask for again, makes room.
 */
final class ReadResponses {
    /** Room for answers that nobody waits for any more. */
    private static final int REPEATED = 8;

    private final Entry[] ring;
    private int head;
    private int count;

    ReadResponses(int maxInboundReads) {
        ring = new Entry[maxInboundReads + REPEATED];
        Arrays.setAll(ring, i -> new Entry());
    }

    boolean isEmpty() {
        return count == 0;
    }

    void clear() {
        while (count > 0) {
            remove();
        }
    }

    /** A READ that was asked for before: nothing to do if its answer has not begun to go out. */
    void addAgain(int firstPsn, int packets, int msn, RoceMemoryRegion region, long address, long bytes) {
        for (int i = 0; i < count; i++) {
            Entry entry = ring[(head + i) % ring.length];
            if (entry.firstPsn == firstPsn && entry.packets == packets && entry.next == 0) {
                return;
            }
        }
        add(firstPsn, packets, msn, region, address, bytes);
    }

    /** A new READ. */
    void add(int firstPsn, int packets, int msn, RoceMemoryRegion region, long address, long bytes) {
        if (count == ring.length) {
            remove();
        }
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
                region,
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
