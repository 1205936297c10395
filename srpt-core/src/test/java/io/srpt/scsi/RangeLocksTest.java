package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.store.BlockStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Commands that are alone on their range, and others beside them. */
class RangeLocksTest extends HeldDisk {
    private ScsiTask start(String cdb, int out, int in) {
        return bed.start(bed.nexus, TaskAttribute.SIMPLE, cdb, new byte[out], in);
    }

    private ScsiTask read(int lba, int blocks) {
        return start(String.format("28 00 %08x 00 %04x 00", lba, blocks), 0, blocks * 512);
    }

    private ScsiTask write(int lba, int blocks) {
        return start(String.format("2a 00 %08x 00 %04x 00", lba, blocks), blocks * 512, 0);
    }

    private ScsiTask compareAndWrite(int lba, int blocks) {
        return start(String.format("89 00 %016x 00 00 00 %02x 00 00", lba, blocks), 2 * blocks * 512, 0);
    }

    private ScsiTask orWrite(int lba, int blocks) {
        return start(String.format("8b 00 %016x %08x 00 00", lba, blocks), blocks * 512, 0);
    }

    private ScsiTask writeAtomic(int lba, int blocks) {
        return start(String.format("9c 00 %016x 0000 %04x 00 00", lba, blocks), blocks * 512, 0);
    }

    private ScsiTask verify(int lba, int blocks) {
        return start(String.format("8f 00 %016x %08x 00 00", lba, blocks), 0, 0);
    }

    @Test
    void compareAndWriteIsAloneFromItsReadToTheEndOfItsWrite() throws Exception {
        ScsiTask swap = compareAndWrite(8, 2);
        ScsiTask write = write(9, 1);
        ScsiTask read = read(8, 1);
        ScsiTask elsewhere = read(10, 1);
        assertThat(store.calls).containsExactly("read", "read");
        endOne();
        assertThat(store.calls).as("its own write").containsExactly("read", "read", "write");
        endOne();
        assertThat(bed.done).containsExactly(elsewhere);
        endOne();
        assertThat(bed.done).containsExactly(elsewhere, swap);
        assertThat(write.isStoreBusy()).isTrue();
        assertThat(read.isStoreBusy()).isTrue();
        assertThat(counters().heldBack.get()).isEqualTo(2);
        endOne();
        endOne();
        assertThat(bed.done).containsExactly(elsewhere, swap, write, read);
    }

    @Test
    void whoIsThereFirstIsWaitedFor() throws Exception {
        read(0, 4);
        write(3, 2);
        ScsiTask atomic = writeAtomic(3, 1);
        endOne();
        assertThat(atomic.isStoreBusy()).isFalse();
        endOne();
        assertThat(atomic.isStoreBusy()).isTrue();
        endOne();
        assertThat(bed.done).endsWith(atomic);
    }

    @Test
    void exclusiveTasksOfOneRangeRunInTheirOrder() throws Exception {
        ScsiTask first = orWrite(0, 1);
        ScsiTask second = compareAndWrite(0, 1);
        ScsiTask third = writeAtomic(0, 2);
        ScsiTask other = orWrite(2, 1);
        assertThat(store.held).hasSize(2);
        while (!store.held.isEmpty()) {
            endOne();
        }
        assertThat(bed.done).containsExactly(first, other, second, third);
    }

    @Test
    void readersThatComeLaterDoNotStarveWhoWaits() throws Exception {
        ScsiTask reader = read(0, 1);
        ScsiTask swap = compareAndWrite(0, 1);
        ScsiTask later = read(0, 1);
        endOne();
        assertThat(bed.done).containsExactly(reader);
        assertThat(swap.isStoreBusy()).isTrue();
        assertThat(later.isStoreBusy()).isFalse();
        endOne();
        endOne();
        endOne();
        assertThat(bed.done).containsExactly(reader, swap, later);
    }

    @Test
    void aRangeIsKeptOverAllPartsOfACommand() throws Exception {
        int blocks = 2 * WorkBuffers.SIZE / 512;
        ScsiTask verify = verify(0, blocks);
        ScsiTask atomic = writeAtomic(0, 1);
        endOne();
        assertThat(atomic.isStoreBusy()).as("the first part was read").isFalse();
        endOne();
        assertThat(bed.done).containsExactly(verify);
        assertThat(atomic.isStoreBusy()).isTrue();
        endOne();
    }

    @Test
    void anExclusiveTaskThatFailsGivesItsRangeBack() throws Exception {
        ScsiTask swap = start("89 00 0000000000000000 00 00 00 01 00 00", 1024, 0);
        bed.server.abort(swap);
        ScsiTask write = write(0, 1);
        assertThat(write.isStoreBusy()).as("it only read").isTrue();
        endOne();
        endOne();
        assertThat(bed.released).containsExactly(swap);
        assertThat(bed.done).containsExactly(write);
    }

    @Test
    void aLateExclusiveWriteKeepsItsRange() throws Exception {
        ScsiTask swap = compareAndWrite(0, 1);
        endOne();
        assertThat(store.calls).containsExactly("read", "write");
        bed.server.abort(swap);
        ScsiTask read = read(0, 1);
        assertThat(read.isStoreBusy()).isFalse();
        endOne();
        assertThat(read.isStoreBusy()).isTrue();
        endOne();
    }

    @Test
    void formatWaitsForALateWrite() throws Exception {
        ScsiTask late = write(0, 1);
        bed.server.abort(late);
        ScsiTask format = start("04 00 00 00 00 00", 0, 0);
        assertThat(store.calls).containsExactly("write");
        endOne();
        assertThat(store.calls).hasSizeGreaterThan(1);
        while (!store.held.isEmpty()) {
            endOne();
        }
        assertThat(bed.done).containsExactly(format);
    }

    // A model: every claim as a record, looked at in the plainest way.

    private enum Place {
        WAITING,
        HELD,
        LATE
    }

    private static final class Modelled {
        private final ScsiTask task;
        private final int lba;
        private final int end;
        private final boolean exclusive;
        private Place place = Place.WAITING;

        Modelled(ScsiTask task, int lba, int end, boolean exclusive) {
            this.task = task;
            this.lba = lba;
            this.end = end;
            this.exclusive = exclusive;
        }

        boolean keepsOff(Modelled other) {
            return lba < other.end
                    && other.lba < end
                    && (exclusive || other.exclusive || place == Place.LATE || other.place == Place.LATE);
        }
    }

    /** Lets those of the model be held, in order, whom nobody keeps off. */
    private static void settle(List<Modelled> model) {
        for (int i = 0; i < model.size(); i++) {
            Modelled claim = model.get(i);
            if (claim.place != Place.WAITING) {
                continue;
            }
            boolean blocked = false;
            for (int j = 0; j < model.size(); j++) {
                Modelled other = model.get(j);
                boolean before = other.place != Place.WAITING || j < i;
                blocked |= j != i && before && other.keepsOff(claim);
            }
            claim.place = blocked ? Place.WAITING : Place.HELD;
        }
    }

    @Test
    void theSameTasksWaitAsInAModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RandomStore randomStore = new RandomStore();
        ScsiTestBed own = ScsiTestBed.withDisk(randomStore);
        List<Modelled> model = new ArrayList<>();
        int waited = 0;
        for (int step = 0; step < 20_000; step++) {
            if (model.size() < 12 && random.nextInt(5) < 2) {
                int lba = random.nextInt(24);
                int blocks = 1 + random.nextInt(4);
                int kind = random.nextInt(3);
                String cdb = switch (kind) {
                    case 0 -> String.format("28 00 %08x 00 %04x 00", lba, blocks);
                    case 1 -> String.format("2a 00 %08x 00 %04x 00", lba, blocks);
                    default -> String.format("9c 00 %016x 0000 %04x 00 00", lba, blocks);
                };
                ScsiTask task = own.start(
                        own.nexus,
                        TaskAttribute.SIMPLE,
                        cdb,
                        new byte[kind == 0 ? 0 : blocks * 512],
                        kind == 0 ? blocks * 512 : 0);
                model.add(new Modelled(task, lba, lba + blocks, kind == 2));
            } else if (!model.isEmpty() && random.nextInt(6) == 0) {
                Modelled claim = model.get(random.nextInt(model.size()));
                if (claim.place != Place.LATE) {
                    boolean writing = claim.task.direction() == DataDirection.OUT;
                    boolean busy = own.server.abort(claim.task);
                    if (busy && writing) {
                        claim.place = Place.LATE;
                    } else {
                        model.remove(claim);
                    }
                }
            } else if (!randomStore.held.isEmpty()) {
                StoreCompletion completion = randomStore.held.remove(random.nextInt(randomStore.held.size()));
                completion.onStoreDone(StoreStatus.OK, 0);
                own.drain();
                model.removeIf(claim -> claim.place != Place.WAITING && !claim.task.isStoreBusy());
            }
            settle(model);
            for (Modelled claim : model) {
                assertThat(claim.task.isStoreBusy())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(claim.place != Place.WAITING);
                waited += claim.place == Place.WAITING ? 1 : 0;
            }
        }
        assertThat(waited).isPositive();
    }

    /** Ends its operations in any order, when the test says so. */
    private static final class RandomStore implements BlockStore {
        private final List<StoreCompletion> held = new ArrayList<>();

        @Override
        public long sizeBytes() {
            return 1 << 20;
        }

        @Override
        public boolean readOnly() {
            return false;
        }

        @Override
        public boolean writeCacheEnabled() {
            return true;
        }

        @Override
        public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
            held.add(done);
        }

        @Override
        public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
            held.add(done);
        }

        @Override
        public void flush(StoreCompletion done) {
            held.add(done);
        }

        @Override
        public void close() {}
    }
}
