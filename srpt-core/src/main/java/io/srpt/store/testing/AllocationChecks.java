package io.srpt.store.testing;

import io.srpt.store.BlockStore;
import io.srpt.store.StoreStatus;
import io.srpt.store.StoreUsage;
import java.util.concurrent.atomic.AtomicLong;

/** What a store says about the space that it takes, gives back, and gets. */
final class AllocationChecks {
    private AllocationChecks() {}

    /** The runs cover the range, and what is not allocated reads as zeros. */
    static void tellsRuns(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        long end = Math.min(store.sizeBytes(), RangeChecks.MINIMUM);
        if (!store.readOnly()) {
            Expect.status(StoreStatus.OK, probe.write(65536, DataChecks.pattern(65536, 6), false), "a write");
        }
        for (long at = 0; at < end; ) {
            StoreProbe.Run run = probe.allocation(at, end - at);
            Expect.status(StoreStatus.OK, run.status(), "an allocation query");
            Expect.that(
                    run.length() > 0 && run.length() <= end - at,
                    "the run at %d must have 1 to %d bytes and has %d",
                    at,
                    end - at,
                    run.length());
            boolean written = !store.readOnly() && at < 131072 && at + run.length() > 65536;
            Expect.that(run.allocated() || !written, "the run at %d was written and must be allocated", at);
            if (!run.allocated()) {
                byte[] read = new byte[(int) run.length()];
                Expect.status(StoreStatus.OK, probe.read(at, read), "a read");
                Expect.same(new byte[read.length], read, at, "what is not allocated");
            }
            at += run.length();
        }
    }

    static void tellsUsage(BlockStore store) {
        StoreUsage usage = store.usage();
        Expect.that(
                usage.allocatedBytes() >= StoreUsage.UNKNOWN && usage.availableBytes() >= StoreUsage.UNKNOWN,
                "usage() must have bytes or UNKNOWN (-1) and is %s",
                usage);
        Expect.status(StoreStatus.OK, new StoreProbe(store).rescan(), "a rescan");
    }

    static void unmapsToZeros(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        int unit = Math.clamp(store.unmapGranularity(), 512, RangeChecks.MINIMUM / 4);
        byte[] data = DataChecks.pattern(3 * unit, 7);
        Expect.status(StoreStatus.OK, probe.write(0, data, false), "a write");
        Expect.status(StoreStatus.OK, probe.unmap(unit, unit), "an unmap");
        byte[] read = new byte[3 * unit];
        Expect.status(StoreStatus.OK, probe.read(0, read), "a read");
        System.arraycopy(new byte[unit], 0, data, unit, unit);
        Expect.same(data, read, 0, "after an unmap");
        if (store.thin() && store.unmapGranularity() <= unit) {
            StoreProbe.Run run = probe.allocation(unit, unit);
            StoreProbe.Run all = probe.allocation(0, store.sizeBytes());
            boolean cannotTell = all.allocated() && all.length() == store.sizeBytes();
            Expect.that(
                    !run.allocated() || cannotTell,
                    "a unit of a thin store that was unmapped must not be allocated, unless all of the store is");
            Expect.that(probe.allocation(0, unit).allocated(), "the unit before one that was unmapped must stay");
        }
        Expect.status(StoreStatus.OK, probe.writeZeroes(0, unit, false), "zeros");
        Expect.status(StoreStatus.OK, probe.read(0, read), "a read");
        System.arraycopy(new byte[unit], 0, data, 0, unit);
        Expect.same(data, read, 0, "after zeros");
    }

    static void grows(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        AtomicLong heard = new AtomicLong();
        store.onCapacityChange(heard::set);
        long before = store.sizeBytes();
        long after = before + RangeChecks.MINIMUM;
        StoreStatus status = probe.grow(after);
        if (status == StoreStatus.NOT_SUPPORTED) {
            Expect.that(store.sizeBytes() == before, "a store that cannot grow must keep its size");
            return;
        }
        Expect.status(StoreStatus.OK, status, "growing");
        Expect.that(store.sizeBytes() == after, "sizeBytes() must be %d and is %d", after, store.sizeBytes());
        Expect.that(heard.get() == after, "the capacity listener must hear %d and heard %d", after, heard.get());
        byte[] read = DataChecks.pattern(RangeChecks.MINIMUM, 8);
        Expect.status(StoreStatus.OK, probe.read(before, read), "a read of the new bytes");
        Expect.same(new byte[read.length], read, before, "the new bytes");
        Expect.status(StoreStatus.OUT_OF_RANGE, probe.grow(before), "shrinking");
        Expect.that(store.sizeBytes() == after, "a store must never shrink");
    }
}
