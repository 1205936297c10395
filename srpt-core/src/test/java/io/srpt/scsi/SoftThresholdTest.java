package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.store.BlockStore;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreUsage;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A thin disk of 40 MiB whose medium fills up. */
class SoftThresholdTest {
    private static final int SIZE = 40 << 20;
    private static final int MEBIBYTE = 1 << 20;
    private static final String WRITE_MEBIBYTE = "2a 00 00 00 00 00 00 08 00 00";
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";
    private static final String REACHED = "6/38/07";

    @Test
    void everyInitiatorHearsOnceThatTheSpaceRunsOut() throws Exception {
        try (FillingStore store = new FillingStore()) {
            ScsiTestBed bed = ScsiTestBed.withDisk(store);
            Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
            run(bed, other);
            write(bed);
            assertThat(run(bed, bed.nexus)).isEmpty();

            store.usage = new StoreUsage(MEBIBYTE, 4 * MEBIBYTE - 1);
            write(bed);
            assertThat(run(bed, bed.nexus)).isEqualTo(REACHED);
            assertThat(run(bed, other)).isEqualTo(REACHED);
            write(bed);
            assertThat(run(bed, bed.nexus)).as("still").isEmpty();

            store.usage = new StoreUsage(MEBIBYTE, 4 * MEBIBYTE);
            write(bed);
            store.usage = new StoreUsage(MEBIBYTE, 0);
            write(bed);
            assertThat(run(bed, bed.nexus)).as("again").isEqualTo(REACHED);
        }
    }

    @Test
    void littleSpaceIsEnoughForADiskThatIsAlmostFull() throws Exception {
        try (FillingStore store = new FillingStore()) {
            ScsiTestBed bed = ScsiTestBed.withDisk(store);
            store.usage = new StoreUsage(SIZE - MEBIBYTE, MEBIBYTE);
            write(bed);
            assertThat(run(bed, bed.nexus)).isEmpty();
            store.usage = StoreUsage.NOT_KNOWN;
            write(bed);
            assertThat(run(bed, bed.nexus)).isEmpty();
        }
    }

    private static void write(ScsiTestBed bed) {
        assertThat(bed.out(WRITE_MEBIBYTE, new byte[MEBIBYTE]).sense()).isEmpty();
    }

    private static String run(ScsiTestBed bed, Nexus by) {
        return bed.run(by, Lun.encode(0), TEST_UNIT_READY, new byte[0], 0).sense();
    }

    private static final class FillingStore implements BlockStore {
        private final MemoryStore behind;
        private StoreUsage usage = new StoreUsage(0, 1L << 40);

        FillingStore() throws Exception {
            behind = MemoryStore.open(SIZE);
        }

        @Override
        public StoreUsage usage() {
            return usage;
        }

        @Override
        public boolean thin() {
            return true;
        }

        @Override
        public long sizeBytes() {
            return SIZE;
        }

        @Override
        public boolean readOnly() {
            return false;
        }

        @Override
        public boolean writeCacheEnabled() {
            return false;
        }

        @Override
        public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
            behind.read(offset, segments, count, done);
        }

        @Override
        public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
            behind.write(offset, segments, count, fua, done);
        }

        @Override
        public void flush(StoreCompletion done) {
            behind.flush(done);
        }

        @Override
        public void close() {
            behind.close();
        }
    }
}
