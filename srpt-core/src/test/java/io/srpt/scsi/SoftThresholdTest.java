package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.store.BlockStore;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreException;
import io.srpt.store.StoreUsage;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thin disk of 40 MiB whose medium fills up: 40 threshold sets of 1 MiB, and a threshold of 4. */
class SoftThresholdTest {
    private static final int SIZE = 40 << 20;
    private static final int MEBIBYTE = 1 << 20;
    private static final String WRITE_MEBIBYTE = "2a 00 00 00 00 00 00 08 00 00";
    private static final String WRITE_BLOCK = "2a 00 00 00 00 00 00 00 01 00";
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";
    private static final String REACHED = "6/38/07";

    private final FillingStore store = new FillingStore();
    private final ScsiTestBed bed = ScsiTestBed.withDisk(store);

    @AfterEach
    void closeDisk() {
        store.close();
    }

    @Test
    void everyInitiatorHearsOnceThatATenthIsLeft() {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        run(other);
        store.available(5 * MEBIBYTE);
        write();
        assertThat(run(bed.nexus)).as("more is left").isEmpty();

        store.available(5 * MEBIBYTE - 1);
        write();
        assertThat(run(bed.nexus)).isEqualTo(REACHED);
        assertThat(run(other)).isEqualTo(REACHED);
        store.available(0);
        write();
        assertThat(run(bed.nexus)).as("still").isEmpty();
    }

    @Test
    void theThresholdIsArmedAgainWhenClearlyMoreIsLeft() {
        store.available(4 * MEBIBYTE);
        write();
        assertThat(run(bed.nexus)).isEqualTo(REACHED);
        for (int left : new int[] {5 * MEBIBYTE, 4 * MEBIBYTE}) {
            store.available(left);
            write();
            assertThat(run(bed.nexus)).isEmpty();
        }
        store.available(6 * MEBIBYTE);
        write();
        store.available(4 * MEBIBYTE);
        write();
        assertThat(run(bed.nexus)).isEqualTo(REACHED);
    }

    @Test
    void littleThatIsWrittenIsNoReasonToLook() {
        write();
        store.available(0);
        for (int i = 1; i < MEBIBYTE / 512; i++) {
            assertThat(bed.out(WRITE_BLOCK, new byte[512]).sense()).isEmpty();
        }
        assertThat(bed.out(WRITE_BLOCK, new byte[512]).sense())
                .as("the last one")
                .isEmpty();
        assertThat(run(bed.nexus)).isEqualTo(REACHED);
    }

    @Test
    void pagesTellOfTheThreshold() {
        String head = "1b 00 10 00 5c 02 00 14" + " 00".repeat(12);
        store.available(7 * MEBIBYTE);
        assertThat(bed.in("1a 08 1c 02 ff 00", 255).hex())
                .as("4 sets of available resources")
                .isEqualTo(head + " 80 01 00 00 00 00 00 04");
        assertThat(bed.in("1a 08 9c 02 ff 00", 255).hex())
                .as("by default, too")
                .isEqualTo(head + " 80 01 00 00 00 00 00 04");
        assertThat(bed.in("1a 08 5c 02 ff 00", 255).hex())
                .as("nothing to change")
                .isEqualTo(head + " 00".repeat(8));
        assertThat(bed.in("1a 08 01 00 ff 00", 255).hex()).isEqualTo("0f 00 10 00 01 0a 00 00 00 00 00 80 00 00 00 00");
        assertThat(bed.in("4d 00 4c 00 00 00 00 00 ff 00", 255).hex())
                .isEqualTo("0c 00 00 18 00 01 03 08 00 00 00 07 01 00 00 00 00 02 03 08 00 00 00 01 01 00 00 00");
        assertThat(bed.in("12 01 b2 00 ff 00", 255).hex())
                .as("sets of 2^11 blocks")
                .startsWith("00 b2 00 04 0b");
    }

    @Test
    void aThresholdCannotBeSet() {
        String page = "00 00 00 00 5c 02 00 14" + " 00".repeat(12) + " 80 01 00 00 00 00 00 ";
        assertThat(select(page + "04")).as("as it is").isEmpty();
        assertThat(select(page + "05")).isEqualTo("5/26/00");
        assertThat(select("00 00 00 00 5c 01 00 14" + " 00".repeat(20))).isEqualTo("5/26/00");
        assertThat(select("00 00 00 00 5c 02 00 13" + " 00".repeat(20))).isEqualTo("5/26/00");
        assertThat(select("00 00 00 00 5c")).isEqualTo("5/26/00");
        assertThat(select("00 00 00 00 5c 02 00")).isEqualTo("5/1A/00");
        assertThat(select("00 00 00 00 5c 02 00 14" + " 00".repeat(19))).isEqualTo("5/1A/00");
        assertThat(select("00 00 00 00 01 0a" + " 00".repeat(10)))
                .as("the report of thresholds stays on")
                .isEqualTo("5/26/00");
    }

    @Test
    void noThresholdWhereNobodyKnowsWhatIsLeft() {
        store.usage = StoreUsage.NOT_KNOWN;
        write();
        assertThat(run(bed.nexus)).isEmpty();
        assertThat(bed.in("1a 08 1c 02 ff 00", 255).hex()).isEqualTo("1b 00 10 00 5c 02 00 14" + " 00".repeat(20));
        assertThat(bed.in("1a 08 01 00 ff 00", 255).hex()).isEqualTo("0f 00 10 00 01 0a" + " 00".repeat(10));
    }

    @Test
    void onlyThinDisksHaveThePage() {
        store.thin = false;
        store.available(0);
        write();
        assertThat(run(bed.nexus)).isEmpty();
        assertThat(bed.in("1a 08 1c 02 ff 00", 255).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("1a 08 1c ff ff 00", 255).hex()).isEqualTo("0f 00 10 00 1c 0a" + " 00".repeat(10));
        assertThat(select("00 00 00 00 5c 02 00 14" + " 00".repeat(20))).isEqualTo("5/26/00");
    }

    private String select(String list) {
        byte[] data = HexFormat.of().parseHex(list.replace(" ", ""));
        return bed.out("15 10 00 00 " + HexFormat.of().toHexDigits((byte) data.length) + " 00", data)
                .sense();
    }

    private void write() {
        assertThat(bed.out(WRITE_MEBIBYTE, new byte[MEBIBYTE]).sense()).isEmpty();
    }

    private String run(Nexus by) {
        return bed.run(by, Lun.encode(0), TEST_UNIT_READY, new byte[0], 0).sense();
    }

    private static final class FillingStore implements BlockStore {
        private final MemoryStore behind;
        private boolean thin = true;
        private StoreUsage usage = new StoreUsage(MEBIBYTE, 1L << 40);

        FillingStore() {
            try {
                behind = MemoryStore.open(SIZE);
            } catch (StoreException e) {
                throw new AssertionError(e);
            }
        }

        void available(long bytes) {
            usage = new StoreUsage(MEBIBYTE, bytes);
        }

        @Override
        public StoreUsage usage() {
            return usage;
        }

        @Override
        public boolean thin() {
            return thin;
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
