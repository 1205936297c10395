package io.srpt.target;

import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ReceiveWorkRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The receive buffers of a channel, or of all channels of a port that share a receive queue: one registered region, cut into
 * slots of equal size. In each slot the unit begins where its immediate data is aligned to 512 bytes:
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

    /** Where receives are posted. */
    @FunctionalInterface
    interface Queue {
        PostResult postReceive(ReceiveWorkRequest request);
    }

    private final MemoryRegion region;
    private final int slots;
    private final int slotLength;
    private final int unitLength;
    /** Made when the first one is needed. */
    private @Nullable ByteBuffer[] views = new ByteBuffer[0];

    private final boolean[] posted;
    private final boolean shared;
    private final TargetCounters counters;
    private final ReceiveWorkRequest request = new ReceiveWorkRequest(1);
    private Queue queue = refused -> PostResult.WRONG_STATE;
    private int unitStart;

    /** Over {@code region}, which holds {@link #bytesFor} at least; {@code shared} by several channels or not. */
    ReceiveRing(MemoryRegion region, int slots, int unitLength, boolean shared, TargetCounters counters) {
        this.region = region;
        this.shared = shared;
        this.counters = counters;
        this.slots = slots;
        this.unitLength = unitLength;
        slotLength = slotLength(unitLength);
        posted = new boolean[slots];
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

    /** Makes it ready for {@code newQueue} and this immediate data offset, 0 for none. All slots are held from now on. */
    void reset(int immediateOffset, Queue newQueue) {
        unitStart = roundUp(immediateOffset) - immediateOffset;
        Arrays.fill(posted, false);
        queue = newQueue;
    }

    /** Posts all slots; they must be held. */
    void postAll() {
        for (int slot = 0; slot < slots; slot++) {
            post(slot);
        }
    }

    int slots() {
        return slots;
    }

    /** Whether several channels use it. */
    boolean isShared() {
        return shared;
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
        if (views.length == 0) {
            views = new ByteBuffer[slots];
        }
        ByteBuffer view = views[slot];
        if (view == null) {
            view = region.buffer().duplicate();
            views[slot] = view;
        }
        return view;
    }

    /** Posts a slot that is held. If the queue pair is gone, nothing is due. */
    void post(int slot) {
        assert !posted[slot];
        request.reset(WorkRequestId.of(WorkRequestId.RECEIVE, slot))
                .segment(region.address() + unitOffset(slot), unitLength, region.localKey());
        posted[slot] = queue.postReceive(request) == PostResult.OK;
        if (posted[slot]) {
            counters.receivesInUse.increment();
        }
    }

    /** The channel ends and does not serve the unit in this slot: the others may need it. */
    void giveBack(int slot) {
        if (shared) {
            post(slot);
        }
    }

    /** A unit came, or was flushed: the slot is held from now on. */
    void received(int slot) {
        assert posted[slot];
        posted[slot] = false;
        counters.receivesInUse.decrement();
    }

    /** The queue is gone, and what was posted with it: all slots are held. */
    void forget() {
        for (int slot = 0; slot < slots; slot++) {
            if (posted[slot]) {
                received(slot);
            }
        }
    }

    void close() {
        region.close();
    }
}
