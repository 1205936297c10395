package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.store.BlockStore;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random commands of two initiators on four kinds of disks, many at a time, whose stores end their operations in any order;
 * random aborts, task set functions and resets meanwhile. Statuses and data must be those of {@link ModelDisk}.
 */
class DeviceServerModelTest {
    private static final int BLOCKS = 600;
    private static final int MAX_TRANSFER_BLOCKS = 256;
    private static final int IN_FLIGHT = 12;

    private final long seed = Long.getLong("srpt.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ScsiTestBed bed = new ScsiTestBed();
    private final List<ShuffledStore> stores = new ArrayList<>();
    private final List<ModelDisk> disks = new ArrayList<>();
    private final List<Initiator> initiators = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private int step;

    /** An initiator, and the unit attentions that it has to hear of by disk. */
    private static final class Initiator {
        final Nexus nexus;
        final Map<UnitAttention, Set<ModelDisk>> pending = new EnumMap<>(UnitAttention.class);

        Initiator(Nexus nexus) {
            this.nexus = nexus;
        }

        void hears(UnitAttention attention, ModelDisk disk) {
            if (attention == UnitAttention.BUS_DEVICE_RESET) {
                if (pending.getOrDefault(UnitAttention.POWER_ON, Set.of()).contains(disk)) {
                    return; // who has not heard of power on yet learns nothing new
                }
                pending.values().forEach(those -> those.remove(disk));
            } else if (pending.getOrDefault(UnitAttention.BUS_DEVICE_RESET, Set.of())
                    .contains(disk)) {
                return;
            }
            pending.computeIfAbsent(attention, a -> new HashSet<>()).add(disk);
        }

        /** The sense data of the one that is reported now; null when nothing is to be told. */
        @Nullable
        String next(ModelDisk disk) {
            for (Map.Entry<UnitAttention, Set<ModelDisk>> each : pending.entrySet()) {
                if (each.getValue().remove(disk)) {
                    Sense sense = each.getKey().sense();
                    return String.format("%X/%02X/%02X", sense.key(), sense.asc(), sense.ascq());
                }
            }
            return null;
        }
    }

    private record Running(ScsiTask task, Initiator by, ModelCommand command, ByteBuffer buffer) {}

    @Test
    void answersAsTheModelDoes() throws Exception {
        System.out.println("DeviceServerModelTest: seed " + seed);
        try {
            addDisks();
            for (step = 0; step < TestProfile.count(20_000, 500_000); step++) {
                switch (random.nextInt(24)) {
                    case 0 -> taskManagement();
                    case 1 -> abortOne();
                    case 2, 3, 4, 5, 6, 7, 8, 9 -> endOneOperation();
                    default -> start();
                }
            }
            while (stores.stream().anyMatch(store -> !store.waiting.isEmpty())) {
                endOneOperation();
            }
            assertThat(running).as(where()).isEmpty();
            readEverything();
        } catch (RuntimeException e) {
            throw new AssertionError(where(), e);
        } finally {
            stores.forEach(ShuffledStore::close);
        }
    }

    private String where() {
        return "-Dsrpt.test.seed=" + seed + ", step " + step;
    }

    private void addDisks() throws Exception {
        add(512, true, false);
        add(4096, true, false);
        add(512, false, false);
        add(512, true, true);
        initiators.add(new Initiator(bed.nexus));
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        initiators.add(new Initiator(other));
        for (ModelDisk disk : disks) {
            initiators.get(1).hears(UnitAttention.POWER_ON, disk);
        }
    }

    private void add(int blockSize, boolean thin, boolean readOnly) throws Exception {
        int lun = disks.size();
        ShuffledStore store = new ShuffledStore(MemoryStore.open((long) blockSize * BLOCKS), random, thin, readOnly);
        LogicalUnitConfig config = LogicalUnitConfig.defaults("MODEL-" + lun)
                .withBlockSizes(blockSize, 4096)
                .withMaxTransferBytes(MAX_TRANSFER_BLOCKS * blockSize);
        bed.add(lun, config, store);
        byte[] limits = bed.run(bed.nexus, Lun.encode(lun), "12 01 b0 00 40 00", new byte[0], 64)
                .data();
        bed.done.clear();
        assertThat(ByteBuffer.wrap(limits).getInt(8)).isEqualTo(MAX_TRANSFER_BLOCKS);
        ModelDisk disk = new ModelDisk(lun, blockSize, BLOCKS, thin, readOnly, MAX_TRANSFER_BLOCKS, limits[5] & 0xFF);
        if (readOnly) {
            byte[] content = disk.random(random, BLOCKS);
            store.put(content);
            disk.written(0, content);
        }
        stores.add(store);
        disks.add(disk);
    }

    private void start() {
        ModelDisk disk = disks.get(random.nextInt(disks.size()));
        int count = 1 + (random.nextInt(8) == 0 ? random.nextInt(100) : random.nextInt(10));
        int lba = random.nextInt(disk.blocks - count + 1);
        boolean taken = running.size() >= IN_FLIGHT
                || running.stream().anyMatch(other -> other.command().overlaps(disk, lba, count));
        if (taken) {
            endOneOperation();
            return;
        }
        Initiator by = initiators.get(random.nextInt(initiators.size()));
        ModelCommand command = ModelCommand.on(disk, random, lba, count);
        String attention = by.next(disk);
        if (attention != null) {
            command.expected = Set.of(attention);
            command.effect = ModelCommand.Effect.NONE;
        }
        begin(by, command);
    }

    private void begin(Initiator by, ModelCommand command) {
        ScsiTask task = new ScsiTask(bed);
        TaskPhase phase = bed.prepare(
                task, by.nexus, Lun.encode(command.disk.lun), command.cdb, command.out.length, command.inLength);
        if (phase == TaskPhase.DONE) {
            check(new Running(task, by, command, ByteBuffer.allocate(0)));
            return;
        }
        ByteBuffer buffer = ScsiTestBed.supply(task, command.out);
        running.add(new Running(task, by, command, buffer));
        bed.server.execute(task);
        settle();
    }

    private void endOneOperation() {
        ShuffledStore store = stores.get(random.nextInt(stores.size()));
        store.endAny();
        settle();
    }

    /** Runs what the loop has to do, and checks what has ended by it. */
    private void settle() {
        bed.drain();
        for (ScsiTask task : bed.done) {
            Running ended = remove(task);
            if (task.status() == ScsiStatus.TASK_ABORTED) {
                throw new AssertionError(where() + ": nobody aborted " + ended.command());
            }
            check(ended);
        }
        bed.done.clear();
        bed.aborted.clear();
        bed.released.forEach(ScsiTask::reset);
        bed.released.clear();
    }

    private Running remove(ScsiTask task) {
        Running found = running.stream()
                .filter(each -> each.task() == task)
                .findFirst()
                .orElseThrow(() -> new AssertionError(where() + ": ended twice"));
        running.remove(found);
        return found;
    }

    private void check(Running ended) {
        ScsiTask task = ended.task();
        ModelCommand command = ended.command();
        String answer = task.status() == ScsiStatus.CHECK_CONDITION
                ? String.valueOf(SenseData.decode(task.sense(), 0, task.senseLength()))
                : task.status().toString();
        assertThat(command.expected).as(where() + ": " + command).contains(answer);
        if (command.effect == ModelCommand.Effect.WRITES) {
            command.disk.written(command.lba, command.after);
        } else if (command.effect == ModelCommand.Effect.READS) {
            byte[] in = new byte[task.dataInProduced()];
            ended.buffer().get(0, in);
            assertThat(command.isRightData(in))
                    .as(where() + ": data of " + command)
                    .isTrue();
        }
    }

    private void abortOne() {
        if (!running.isEmpty()) {
            Running victim = running.remove(random.nextInt(running.size()));
            bed.server.abort(victim.task());
            lost(victim);
            settle();
        }
    }

    private static void lost(Running victim) {
        if (victim.command().effect == ModelCommand.Effect.WRITES) {
            victim.command().disk.mayBeWritten(victim.command().lba, victim.command().after);
        }
    }

    private void taskManagement() {
        Initiator by = initiators.get(random.nextInt(initiators.size()));
        ModelDisk disk = disks.get(random.nextInt(disks.size()));
        long lun = Lun.encode(disk.lun);
        TaskManagement functions = bed.server.taskManagement();
        int function = random.nextInt(3);
        Set<Initiator> victims = new HashSet<>();
        for (Running each : List.copyOf(running)) {
            boolean own = each.by() == by;
            if (each.command().disk == disk && (own || function != 0)) {
                running.remove(each);
                lost(each);
                victims.add(each.by());
            }
        }
        switch (function) {
            case 0 -> functions.abortTaskSet(by.nexus, lun);
            case 1 -> {
                functions.clearTaskSet(by.nexus, lun);
                victims.remove(by);
                victims.forEach(each -> each.hears(UnitAttention.COMMANDS_CLEARED, disk));
            }
            default -> {
                functions.lunReset(by.nexus, lun);
                initiators.forEach(each -> each.hears(UnitAttention.BUS_DEVICE_RESET, disk));
            }
        }
        assertThat(bed.done).as(where()).allMatch(task -> task.status() == ScsiStatus.TASK_ABORTED);
        bed.done.clear();
        settle();
    }

    private void readEverything() {
        for (ModelDisk disk : disks) {
            Initiator by = initiators.get(0);
            while (by.next(disk) != null) {
                bed.nexus.pollAttention(Objects.requireNonNull(bed.server.logicalUnit(disk.lun)));
            }
            byte[] all = stores.get(disk.lun).content();
            assertThat(disk.mayRead(0, all)).as(where() + ", LUN " + disk.lun).isTrue();
        }
    }

    /** Ends operations in random order; some at once. */
    private static final class ShuffledStore implements BlockStore {
        private final MemoryStore behind;
        private final Random random;
        private final boolean thin;
        private final boolean readOnly;
        private final List<Runnable> waiting = new ArrayList<>();

        ShuffledStore(MemoryStore behind, Random random, boolean thin, boolean readOnly) {
            this.behind = behind;
            this.random = random;
            this.thin = thin;
            this.readOnly = readOnly;
        }

        private void later(Runnable operation) {
            if (random.nextInt(4) == 0) {
                operation.run();
            } else {
                waiting.add(operation);
            }
        }

        void endAny() {
            if (!waiting.isEmpty()) {
                waiting.remove(random.nextInt(waiting.size())).run();
            }
        }

        void put(byte[] content) {
            behind.write(0, new ByteBuffer[] {ByteBuffer.wrap(content)}, 1, false, (status, offset) -> {});
        }

        byte[] content() {
            ByteBuffer all = ByteBuffer.allocate((int) sizeBytes());
            behind.read(0, new ByteBuffer[] {all}, 1, (status, offset) -> {});
            return all.array();
        }

        @Override
        public long sizeBytes() {
            return behind.sizeBytes();
        }

        @Override
        public boolean readOnly() {
            return readOnly;
        }

        @Override
        public boolean writeCacheEnabled() {
            return true;
        }

        @Override
        public boolean thin() {
            return thin;
        }

        @Override
        public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
            later(() -> behind.read(offset, segments, count, done));
        }

        @Override
        public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
            later(() -> behind.write(offset, segments, count, fua, done));
        }

        @Override
        public void writeZeroes(long offset, long length, boolean mayUnmap, boolean fua, StoreCompletion done) {
            later(() -> behind.writeZeroes(offset, length, mayUnmap, fua, done));
        }

        @Override
        public void flush(StoreCompletion done) {
            later(() -> behind.flush(done));
        }

        @Override
        public void close() {
            behind.close();
        }
    }
}
