package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.MemoryInUse;
import io.srpt.store.FileStore;
import io.srpt.store.StoreOptions;
import io.srpt.store.StoreThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk costs on the heap that nobody uses any more: one with a file, seen by an initiator that has written to each. */
class IdleUnitMemoryTest {
    private static final int UNITS = 1000;
    private static final int LIMIT_BYTES = 16 << 10;

    @Test
    void aThousandIdleUnitsTakeLessThanSixteenKibibytesEach(@TempDir Path folder) throws Exception {
        List<FileStore> stores = new ArrayList<>();
        try (StoreThreads threads = new StoreThreads("test-idle", 2, 64)) {
            use(addUnits(new ScsiTestBed(), folder, 10, "warm", stores, threads));
            long before = MemoryInUse.heapBytes();
            ScsiTestBed bed = addUnits(new ScsiTestBed(), folder, UNITS, "disk", stores, threads);
            use(bed);
            long each = (MemoryInUse.heapBytes() - before) / UNITS;
            System.out.println("IdleUnitMemoryTest: " + each + " bytes a unit");

            assertThat(each).isLessThan(LIMIT_BYTES);
            assertThat(bed.server.logicalUnit(UNITS - 1)).isNotNull();
        } finally {
            stores.forEach(FileStore::close);
        }
    }

    private static ScsiTestBed addUnits(
            ScsiTestBed bed, Path folder, int count, String name, List<FileStore> stores, StoreThreads threads)
            throws Exception {
        for (int i = 0; i < count; i++) {
            FileStore store = FileStore.open(folder.resolve(name + i), 1 << 20, StoreOptions.DEFAULT, threads);
            stores.add(store);
            bed.add(i, LogicalUnitConfig.defaults(name + i), store);
        }
        return bed;
    }

    /** A second initiator comes, so that unit attentions wait; a write, a compare and an inquiry on each unit by the first. */
    private static void use(ScsiTestBed bed) throws Exception {
        bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        int expected = 0;
        for (int lun = 0; bed.server.logicalUnit(lun) != null; lun++) {
            expected += start(bed, lun, "2a 00 00 00 00 00 00 00 01 00", 512, 0);
            expected += start(bed, lun, "89 00 00 00 00 00 00 00 00 08 00 00 00 01 00 00", 1024, 0);
            expected += start(bed, lun, "12 01 83 00 ff 00", 0, 255);
            while (bed.done.size() < expected) {
                bed.loop.take().run();
            }
            bed.drain();
        }
        assertThat(bed.done).allMatch(task -> task.status() == ScsiStatus.GOOD);
        bed.done.clear();
    }

    private static int start(ScsiTestBed bed, int lun, String cdb, int out, int in) {
        ScsiTask task = new ScsiTask(bed);
        byte[] bytes = HexFormat.of().parseHex(cdb.replace(" ", ""));
        assertThat(bed.prepare(task, bed.nexus, Lun.encode(lun), bytes, out, in))
                .isNotEqualTo(TaskPhase.DONE);
        ScsiTestBed.supply(task, new byte[out]);
        bed.server.execute(task);
        return 1;
    }
}
