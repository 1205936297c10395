package io.srpt.service;

import io.srpt.store.BlockStore;
import io.srpt.store.StoreException;
import io.srpt.store.StoreSpec;
import io.srpt.store.StoreThreads;

/**
 * Where a disk comes from.
 *
 * @param identity what its serial number is made of
 * @param keepsData whether what is written outlives the process
 * @param opener makes the store, which the server closes
 */
record LunSource(String identity, boolean keepsData, Opener opener) {
    @FunctionalInterface
    interface Opener {
        BlockStore open(StoreThreads threads) throws StoreException;
    }

    static LunSource of(StoreSpec spec) {
        boolean keepsData = !(spec instanceof StoreSpec.Memory || spec instanceof StoreSpec.Null);
        return new LunSource(spec.identity(), keepsData, spec::open);
    }

    static LunSource of(BlockStore store) {
        return new LunSource("store:" + store.sizeBytes(), true, threads -> store);
    }
}
