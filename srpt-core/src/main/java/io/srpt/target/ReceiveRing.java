package io.srpt.target;

import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.ReceiveWorkRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The receive buffers of a channel: one registered region, cut into slots of equal size. In each slot the unit begins where
 * its immediate data is aligned to 512 bytes:
 *
 * <pre>
 *   slot      ├─ unused ─┤ unit: header, descriptors, gap │ immediate data …            ┤
 *   0                    start                            start + immediate offset = 512·n
 * </pre>
 *
 * <p>A slot is either posted or held by who handles its unit; whoever holds it posts it again exactly once.
 */
final class ReceiveRing {
    private static final int ALIGNMENT = 512;

    private final MemoryRegion region;
    private final int slots;
    private final int slotLength;
    private final int unitLength;
    private final ByteBuffer[] views;
    private final boolean[] posted;
    private final ReceiveWorkRequest request = new ReceiveWorkRequest(1);
    private int unitStart;

    /** Over {@code region}, which holds {@link #bytesFor} at least. */
    ReceiveRing(MemoryRegion region, int slots, int unitLength) {
        this.region = region;
        this.slots = slots;
        this.unitLength = unitLength;
        slotLength = slotLength(unitLength);
        views = new ByteBuffer[slots];
        posted = new boolean[slots];
        for (int i = 0; i < slots; i++) {
            views[i] = region.buffer().duplicate();
        }
    }

    /** Bytes of memory for {@code slots} units of up to {@code unitLength} bytes. */
    static int bytesFor(int slots, int unitLength) {
        return Math.multiplyExact(slots, slotLength(unitLength));
    }

    private static int slotLength(int unitLength) {
        return roundUp(ALIGNMENT + unitLength);
    }

    private static int roundUp(int length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Makes it ready for a channel with this immediate data offset, 0 for none. Nothing may be posted. */
    void reset(int immediateOffset) {
        unitStart = roundUp(immediateOffset) - immediateOffset;
        Arrays.fill(posted, false);
    }

    int slots() {
        return slots;
    }

    /** The memory of all slots. */
    ByteBuffer buffer() {
        return region.buffer();
    }

    /** Where in {@link #buffer()} the unit of a slot begins. */
    int unitOffset(int slot) {
        return slot * slotLength + unitStart;
    }

    /** A view of the memory that belongs to the slot, to set position and limit on: for data used in place. */
    ByteBuffer view(int slot) {
        return views[slot];
    }

    /** Posts a slot that is held. Returns whether the queue pair took it. */
    boolean post(QueuePair queuePair, int slot) {
        assert !posted[slot];
        request.reset(WorkRequestId.of(WorkRequestId.RECEIVE, slot))
                .segment(region.address() + unitOffset(slot), unitLength, region.localKey());
        posted[slot] = queuePair.postReceive(request) == PostResult.OK;
        return posted[slot];
    }

    /** A unit came, or was flushed: the slot is held from now on. */
    void received(int slot) {
        assert posted[slot];
        posted[slot] = false;
    }

    /** Slots that are posted. */
    int postedCount() {
        int count = 0;
        for (boolean each : posted) {
            count += each ? 1 : 0;
        }
        return count;
    }

    void close() {
        region.close();
    }
}
