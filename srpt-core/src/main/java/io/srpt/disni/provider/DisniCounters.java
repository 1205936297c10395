package io.srpt.disni.provider;

import io.srpt.counter.Counter;

/** What a device counts. Written on its loop, read from anywhere. */
final class DisniCounters {
    private final Counter queuePairs = new Counter();
    private final Counter regions = new Counter();
    private final Counter registeredBytes = new Counter();
    private final Counter addressHandles = new Counter();
    private final Counter doubleReleases = new Counter();

    Counter queuePairs() {
        return queuePairs;
    }

    Counter regions() {
        return regions;
    }

    Counter registeredBytes() {
        return registeredBytes;
    }

    Counter addressHandles() {
        return addressHandles;
    }

    Counter doubleReleases() {
        return doubleReleases;
    }
}
