package io.srpt.scsi;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.store.MemoryStore;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of tasks have in common: a disk whose store does nothing before it is let. */
abstract class HeldDisk {
    protected HeldStore store;
    protected ScsiTestBed bed;

    @BeforeEach
    final void makeDisk() throws Exception {
        store = new HeldStore(MemoryStore.open(1 << 20), true);
        bed = ScsiTestBed.withDisk(store);
    }

    @AfterEach
    final void closeDisk() {
        store.close();
    }

    /** The oldest operation of the store ends, and its task hears of it. */
    protected final void endOne() throws InterruptedException {
        store.endOne();
        bed.drain();
    }

    protected final LogicalUnitCounters counters() {
        return Objects.requireNonNull(bed.server.logicalUnit(0)).counters();
    }
}
