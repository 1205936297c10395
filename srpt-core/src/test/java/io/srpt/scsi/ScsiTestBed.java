package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.store.BlockStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** A device server with a hand-driven loop and the smallest target: it plays what SRP and RDMA do around a task. */
final class ScsiTestBed implements ScsiTaskListener {
    static final String SERIAL = "0123456789ABCDEF";
    static final TargetPort PORT = new TargetPort(1, 0x0102_0304_0506_0708L, 0x0A0B_0C0D_0E0F_1011L);

    final LinkedBlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
    final DeviceServer server;
    final Nexus nexus;
    final List<ScsiTask> done = new ArrayList<>();
    final List<ScsiTask> aborted = new ArrayList<>();
    final List<ScsiTask> begun = new ArrayList<>();
    final List<ScsiTask> released = new ArrayList<>();

    /** What the server's clock says. */
    Instant now = Instant.EPOCH;

    ScsiTestBed() {
        Executor executor = loop::add;
        server = new DeviceServer(executor, () -> now);
        nexus = server.openNexus(initiator(1), PORT);
    }

    /** An initiator port. */
    static TransportId initiator(int number) {
        return new TransportId(0x5054_00FF_FE00_0000L, number);
    }

    /** A bed with one disk at LUN 0 whose power-on condition was already reported. */
    static ScsiTestBed withDisk(BlockStore store) {
        ScsiTestBed bed = new ScsiTestBed();
        bed.add(0, LogicalUnitConfig.defaults(SERIAL), store);
        return bed;
    }

    LogicalUnit add(int lun, LogicalUnitConfig config, BlockStore store) {
        LogicalUnit unit = new LogicalUnit(config, store);
        server.addLogicalUnit(lun, unit);
        nexus.forget(unit);
        nexus.clearAttention(UnitAttention.REPORTED_LUNS_CHANGED);
        return unit;
    }

    /** What came of a command. */
    record Outcome(ScsiStatus status, byte[] data, String sense, long residualIn, long residualOut) {
        String hex() {
            return HexFormat.ofDelimiter(" ").formatHex(data);
        }
    }

    Outcome in(String cdb, int bufferLength) {
        return run(nexus, Lun.encode(0), cdb, new byte[0], bufferLength);
    }

    Outcome out(String cdb, byte[] data) {
        return run(nexus, Lun.encode(0), cdb, data, 0);
    }

    Outcome none(String cdb) {
        return run(nexus, Lun.encode(0), cdb, new byte[0], 0);
    }

    Outcome run(Nexus by, long lun, String cdb, byte[] dataOut, int bufferLength) {
        byte[] bytes = HexFormat.of().parseHex(cdb.replace(" ", ""));
        return run(new ScsiTask(this), by, lun, bytes, dataOut, bufferLength);
    }

    Outcome run(ScsiTask task, Nexus by, long lun, byte[] cdb, byte[] dataOut, int bufferLength) {
        int before = done.size();
        TaskPhase phase = prepare(task, by, lun, cdb, dataOut.length, bufferLength);
        ByteBuffer buffer = ByteBuffer.allocate(0);
        if (phase != TaskPhase.DONE) {
            buffer = supply(task, dataOut);
            server.execute(task);
            drain();
            assertThat(done).hasSize(before + 1).endsWith(task);
        } else {
            assertThat(done).hasSize(before);
        }
        byte[] data = new byte[task.dataInProduced()];
        buffer.get(0, data);
        return new Outcome(
                task.status(),
                data,
                task.senseLength() == 0 ? "" : String.valueOf(SenseData.decode(task.sense(), 0, task.senseLength())),
                task.residualIn(),
                task.residualOut());
    }

    TaskPhase prepare(ScsiTask task, Nexus by, long lun, byte[] cdb, long outLength, long inLength) {
        return prepare(task, by, lun, TaskAttribute.SIMPLE, cdb, outLength, inLength);
    }

    TaskPhase prepare(
            ScsiTask task, Nexus by, long lun, TaskAttribute attribute, byte[] cdb, long outLength, long inLength) {
        task.prepare(by, lun, attribute, ByteBuffer.wrap(cdb), 0, cdb.length, outLength, inLength);
        return server.begin(task);
    }

    /** Starts a command of LUN 0 and leaves it to itself. */
    ScsiTask start(Nexus by, TaskAttribute attribute, String cdb, byte[] dataOut, int inLength) {
        ScsiTask task = new ScsiTask(this);
        byte[] bytes = HexFormat.of().parseHex(cdb.replace(" ", ""));
        TaskPhase phase = prepare(task, by, 0, attribute, bytes, dataOut.length, inLength);
        if (phase == TaskPhase.DONE) {
            done.add(task);
        } else if (phase != TaskPhase.WAITING) {
            supply(task, dataOut);
            server.execute(task);
        }
        return task;
    }

    /** Gives the task its buffers, cut into three segments where that is possible; returns the whole. */
    static ByteBuffer supply(ScsiTask task, byte[] dataOut) {
        boolean out = task.direction() == DataDirection.OUT;
        int length = out ? task.dataOutCapacity() : task.dataInCapacity();
        ByteBuffer whole = ByteBuffer.allocateDirect(length);
        if (out) {
            whole.put(0, dataOut, 0, length);
        }
        int first = length / 3;
        int second = length / 2;
        ByteBuffer[] segments = {
            whole.duplicate().position(0).limit(first),
            whole.duplicate().position(first).limit(second),
            whole.duplicate().position(second).limit(length)
        };
        task.data(segments, segments.length, length);
        return whole;
    }

    void drain() {
        for (Runnable next = loop.poll(); next != null; next = loop.poll()) {
            next.run();
        }
    }

    @Override
    public void onTaskBegun(ScsiTask task, TaskPhase phase) {
        begun.add(task);
        if (phase == TaskPhase.DONE) {
            done.add(task);
        } else {
            supply(task, new byte[task.dataOutCapacity()]);
            server.execute(task);
        }
    }

    @Override
    public void onTaskDone(ScsiTask task) {
        done.add(task);
    }

    @Override
    public void onTaskAborted(ScsiTask task) {
        aborted.add(task);
    }

    @Override
    public void onStoreReleased(ScsiTask task) {
        released.add(task);
    }

    /** A store whose operations wait until the test lets them end. */
    static final class HeldStore implements BlockStore {
        private final BlockStore behind;
        private final boolean cache;
        final Queue<Runnable> held = new ArrayDeque<>();
        StoreStatus answer = StoreStatus.OK;
        final List<String> calls = new ArrayList<>();

        HeldStore(BlockStore behind, boolean cache) {
            this.behind = behind;
            this.cache = cache;
        }

        @Override
        public long sizeBytes() {
            return behind.sizeBytes();
        }

        @Override
        public boolean readOnly() {
            return false;
        }

        @Override
        public boolean writeCacheEnabled() {
            return cache;
        }

        @Override
        public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
            calls.add("read");
            held.add(() -> behind.read(offset, segments, count, (s, o) -> done.onStoreDone(answer, offset)));
        }

        @Override
        public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
            calls.add(fua ? "write-through" : "write");
            held.add(() -> behind.write(offset, segments, count, fua, (s, o) -> done.onStoreDone(answer, offset)));
        }

        @Override
        public void flush(StoreCompletion done) {
            calls.add("flush");
            held.add(() -> done.onStoreDone(answer, 0));
        }

        /** Reads the medium from its beginning, at once. */
        void readBehind(ByteBuffer to) {
            behind.read(0, new ByteBuffer[] {to}, 1, (status, offset) -> {});
        }

        /** Ends the oldest operation from a thread of its own, as a pool would. */
        void endOne() throws InterruptedException {
            Runnable operation = held.remove();
            Thread thread = Thread.ofPlatform().start(operation);
            thread.join();
        }

        @Override
        public void close() {
            behind.close();
        }
    }
}
