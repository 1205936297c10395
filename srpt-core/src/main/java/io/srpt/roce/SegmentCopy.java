package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.verbs.ScatterGatherList;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A scatter-gather list with its memory regions found and checked, and copies between it and packets. One per queue
 * element, made once.
 */
final class SegmentCopy {
    private final ScatterGatherList list;
    private @Nullable RoceMemoryRegion[] regions = new RoceMemoryRegion[1];
    /** Where sequential copying stands: the piece, and the offset of its first byte in the whole list. */
    private int piece;

    private long pieceStart;

    SegmentCopy(int capacity) {
        list = new ScatterGatherList(capacity);
    }

    /** Takes over {@code source}; false if a piece is not registered memory of {@code domain} with {@code right}. */
    boolean load(ScatterGatherList source, RoceProtectionDomain domain, int right) {
        if (source.count() > list.capacity()) {
            return false;
        }
        clear();
        list.copyFrom(source);
        reserve(list.count());
        for (int i = 0; i < list.count(); i++) {
            RoceMemoryRegion region = domain.local(list, i, right);
            if (region == null) {
                return false;
            }
            regions[i] = region;
        }
        return true;
    }

    private void reserve(int pieces) {
        if (pieces > regions.length) {
            regions = Arrays.copyOf(regions, Math.max(pieces, 2 * regions.length));
        }
    }

    /** Makes it an empty list. */
    void clear() {
        list.clear();
        piece = 0;
        pieceStart = 0;
    }

    /** Appends a piece of {@code region}, which was checked. */
    void add(long address, int length, RoceMemoryRegion region) {
        list.add(address, length, region.localKey());
        reserve(list.count());
        regions[list.count() - 1] = region;
    }

    long byteLength() {
        return list.byteLength();
    }

    /** Copies {@code length} bytes from {@code offset} of the list to a packet; false if a region is gone. */
    boolean gather(long offset, int length, ByteBuffer packet, int packetIndex) {
        return copy(offset, length, packet, packetIndex, true);
    }

    /**
     * Lends {@code length} bytes from {@code offset} of the list to a packet, as its payload from byte {@code start} on, if they lie
     * side by side; false if they do not or their region is gone.
     */
    boolean lend(long offset, int length, Datagram slot, int start) {
        seek(offset);
        while (offset - pieceStart >= list.length(piece)) {
            pieceStart += list.length(piece);
            piece++;
        }
        long within = offset - pieceStart;
        RoceMemoryRegion region = regions[piece];
        if (length > list.length(piece) - within || region == null || !region.isValid()) {
            return false;
        }
        long address = list.address(piece) + within;
        slot.lend(start, region.lent(), region.indexOf(address), address, length);
        return true;
    }

    /** Copies {@code length} bytes of a packet to {@code offset} of the list; false if a region is gone. */
    boolean scatter(long offset, int length, ByteBuffer packet, int packetIndex) {
        return copy(offset, length, packet, packetIndex, false);
    }

    private boolean copy(long offset, int length, ByteBuffer packet, int packetIndex, boolean toPacket) {
        seek(offset);
        int done = 0;
        while (done < length) {
            long within = offset + done - pieceStart;
            int pieceLength = list.length(piece);
            if (within >= pieceLength) {
                pieceStart += pieceLength;
                piece++;
                continue;
            }
            RoceMemoryRegion region = regions[piece];
            if (region == null || !region.isValid()) {
                return false;
            }
            int chunk = (int) Math.min(length - done, pieceLength - within);
            int index = region.indexOf(list.address(piece) + within);
            if (toPacket) {
                packet.put(packetIndex + done, region.buffer(), index, chunk);
            } else {
                region.buffer().put(index, packet, packetIndex + done, chunk);
            }
            done += chunk;
        }
        return true;
    }

    private void seek(long offset) {
        if (offset < pieceStart) {
            piece = 0;
            pieceStart = 0;
        }
    }
}
