package io.srpt.store.testing;

import io.srpt.store.BlockStore;
import io.srpt.store.StoreStatus;

/** What a store accepts, and what it refuses. */
final class RangeChecks {
    static final int MINIMUM = 1 << 20;

    private RangeChecks() {}

    static void hasASize(BlockStore store) {
        Expect.that(store.sizeBytes() > 0, "sizeBytes() must be positive and is %d", store.sizeBytes());
        if (!store.readOnly()) {
            Expect.that(
                    store.sizeBytes() >= MINIMUM,
                    "the contract wants a store of %d bytes or more, and sizeBytes() is %d",
                    MINIMUM,
                    store.sizeBytes());
        }
        Expect.that(
                Integer.bitCount(store.physicalBlockSize()) == 1 && store.physicalBlockSize() >= 512,
                "physicalBlockSize() must be a power of two of 512 or more and is %d",
                store.physicalBlockSize());
        Expect.that(
                Integer.bitCount(store.unmapGranularity()) == 1,
                "unmapGranularity() must be a power of two and is %d",
                store.unmapGranularity());
    }

    static void refusesRangesOutside(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        long size = store.sizeBytes();
        StoreStatus refused = StoreStatus.OUT_OF_RANGE;
        Expect.status(refused, probe.read(size - 511, new byte[512]), "a read across the end");
        Expect.status(refused, probe.read(size, new byte[512]), "a read behind the end");
        Expect.status(refused, probe.read(-512, new byte[512]), "a read at a negative offset");
        Expect.status(refused, probe.read(Long.MAX_VALUE - 100, new byte[512]), "a read whose end overflows");
        Expect.status(StoreStatus.OK, probe.read(size - 512, new byte[512]), "a read up to the end");
        Expect.status(refused, probe.allocation(size - 511, 512).status(), "an allocation query across the end");
        Expect.status(refused, probe.allocation(0, 0).status(), "an allocation query of no bytes");
        if (!store.readOnly()) {
            Expect.status(refused, probe.write(size - 511, new byte[512], false), "a write across the end");
            Expect.status(refused, probe.unmap(size - 511, 512), "an unmap across the end");
            Expect.status(refused, probe.writeZeroes(-1, 512, false), "zeros at a negative offset");
            Expect.status(refused, probe.unmap(512, Long.MAX_VALUE), "an unmap whose end overflows");
            Expect.status(StoreStatus.OK, probe.write(size - 512, new byte[512], false), "a write up to the end");
            Expect.status(StoreStatus.OK, probe.unmap(0, 0), "an unmap of no bytes");
        }
    }

    static void refusesChanges(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        byte[] before = new byte[512];
        byte[] after = new byte[512];
        probe.read(0, before);
        StoreStatus refused = StoreStatus.WRITE_PROTECTED;
        Expect.status(refused, probe.write(0, new byte[512], false), "a write to a read-only store");
        Expect.status(refused, probe.unmap(0, 512), "an unmap of a read-only store");
        Expect.status(refused, probe.writeZeroes(0, 512, false), "zeros for a read-only store");
        Expect.status(StoreStatus.OK, probe.flush(), "a flush");
        probe.read(0, after);
        Expect.same(before, after, 0, "a refused change");
    }

    static void isNotReadyOnceClosed(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        store.close();
        store.close();
        Expect.status(StoreStatus.NOT_READY, probe.read(0, new byte[512]), "a read after close()");
        Expect.status(StoreStatus.NOT_READY, probe.flush(), "a flush after close()");
        if (!store.readOnly()) {
            Expect.status(StoreStatus.NOT_READY, probe.write(0, new byte[512], true), "a write after close()");
            Expect.status(StoreStatus.NOT_READY, probe.unmap(0, 512), "an unmap after close()");
        }
    }
}
