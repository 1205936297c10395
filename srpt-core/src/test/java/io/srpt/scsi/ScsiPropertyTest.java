package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random commands, a model, and the allocation of the data path. */
class ScsiPropertyTest {
    private static final int BLOCK = 512;
    private static final int BLOCKS = 4096;
    private static final byte[] NOTHING = new byte[0];

    @Test
    void everyCdbEndsExactlyOnceAndThrowsNothing() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] known = CommandTable.forDisk().all().stream()
                .mapToInt(CommandDescriptor::operationCode)
                .toArray();
        try (MemoryStore store = MemoryStore.open((long) BLOCK * BLOCKS)) {
            ScsiTestBed bed = ScsiTestBed.withDisk(store);
            ScsiTask task = new ScsiTask(bed);
            for (int i = 0; i < 20_000; i++) {
                byte[] cdb = new byte[random.nextInt(40)];
                random.nextBytes(cdb);
                if (cdb.length > 0 && random.nextInt(4) != 0) {
                    cdb[0] = (byte) known[random.nextInt(known.length)];
                    mostlySmall(cdb, random);
                }
                byte[] out = new byte[random.nextInt(3) == 0 ? BLOCK * random.nextInt(20) : random.nextInt(2000)];
                long lun = random.nextInt(8) == 0 ? random.nextLong() : 0;
                Outcome outcome = bed.run(task, bed.nexus, lun, cdb, out, random.nextInt(70_000));
                assertThat(outcome.sense().isEmpty())
                        .as("seed %d, step %d", seed, i)
                        .isEqualTo(outcome.status() != ScsiStatus.CHECK_CONDITION);
                bed.done.clear();
            }
        }
    }

    private static void mostlySmall(byte[] cdb, Random random) {
        for (int at = 1; at < cdb.length; at++) {
            cdb[at] = random.nextInt(3) == 0 ? cdb[at] : 0;
        }
    }

    @Test
    void readsWhatAModelSaysWasWritten() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] model = new byte[BLOCK * BLOCKS];
        byte[] cdb = new byte[CdbEncoder.LENGTH];
        try (MemoryStore store = MemoryStore.open(model.length)) {
            ScsiTestBed bed = ScsiTestBed.withDisk(store);
            ScsiTask task = new ScsiTask(bed);
            for (int i = 0; i < 2_000; i++) {
                int blocks = 1 + random.nextInt(40);
                int lba = random.nextInt(BLOCKS - blocks + 1);
                int length = blocks * BLOCK;
                if (random.nextBoolean()) {
                    byte[] data = new byte[length];
                    random.nextBytes(data);
                    CdbEncoder.write16(ByteBuffer.wrap(cdb), 0, lba, blocks, random.nextBoolean());
                    assertThat(bed.run(task, bed.nexus, 0, cdb, data, 0).status())
                            .as("seed %d", seed)
                            .isEqualTo(ScsiStatus.GOOD);
                    System.arraycopy(data, 0, model, lba * BLOCK, length);
                } else {
                    CdbEncoder.read10(ByteBuffer.wrap(cdb), 0, lba, blocks);
                    byte[] read =
                            bed.run(task, bed.nexus, 0, cdb, NOTHING, length).data();
                    assertThat(Arrays.equals(read, 0, length, model, lba * BLOCK, lba * BLOCK + length))
                            .as("seed %d, step %d", seed, i)
                            .isTrue();
                }
                bed.done.clear();
            }
        }
    }

    @Test
    void readsAndWritesAllocateNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (MemoryStore store = MemoryStore.open(1 << 20)) {
            DeviceServer server = new DeviceServer(Runnable::run);
            server.addLogicalUnit(0, new LogicalUnit(LogicalUnitConfig.defaults("A"), store));
            CountingListener listener = new CountingListener();
            HotPath path = new HotPath(
                    server, server.openNexus(ScsiTestBed.initiator(1), ScsiTestBed.PORT), new ScsiTask(listener));
            path.run(20_000);
            long thread = Thread.currentThread().threadId();
            long before = threads.getThreadAllocatedBytes(thread);
            path.run(10_000);
            long allocated = threads.getThreadAllocatedBytes(thread) - before;
            assertThat(allocated).as("bytes in 20,000 commands").isLessThan(100_000);
            assertThat(listener.done).isEqualTo(60_000 - 1);
        }
    }

    private static final class HotPath {
        private final DeviceServer server;
        private final Nexus nexus;
        private final ScsiTask task;
        private final ByteBuffer cdb = ByteBuffer.allocateDirect(CdbEncoder.LENGTH);
        private final ByteBuffer[] segments = {ByteBuffer.allocateDirect(4096)};

        HotPath(DeviceServer server, Nexus nexus, ScsiTask task) {
            this.server = server;
            this.nexus = nexus;
            this.task = task;
        }

        void run(int count) {
            for (int i = 0; i < count; i++) {
                CdbEncoder.read10(cdb, 0, i % 1024, 8);
                one(10, 0, 4096);
                CdbEncoder.write16(cdb, 0, i % 1024, 8, false);
                one(16, 4096, 0);
            }
        }

        private void one(int cdbLength, int out, int in) {
            task.prepare(nexus, 0, TaskAttribute.SIMPLE, cdb, 0, cdbLength, out, in);
            if (server.begin(task) != TaskPhase.DONE) {
                task.data(segments, 1, 4096);
                server.execute(task);
            }
        }
    }

    private static final class CountingListener implements ScsiTaskListener {
        private int done;

        @Override
        public void onTaskBegun(ScsiTask task, TaskPhase phase) {
            throw new AssertionError("waited");
        }

        @Override
        public void onTaskDone(ScsiTask task) {
            done++;
        }

        @Override
        public void onTaskAborted(ScsiTask task) {
            throw new AssertionError("aborted");
        }

        @Override
        public void onStoreReleased(ScsiTask task) {
            throw new AssertionError("released");
        }
    }
}
