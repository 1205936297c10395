package io.srpt.scsi;

import io.srpt.store.MemoryStore;
import io.srpt.store.StoreException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A READ(10) of {@link #blocks} blocks through the device server: CDB, task set, copy from memory, status. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadCommandBenchmark implements ScsiTaskListener {
    @Param({"1", "8", "128"})
    public int blocks;

    private final DeviceServer server = new DeviceServer(Runnable::run);
    private final Nexus nexus = server.openNexus(ScsiTestBed.initiator(1), ScsiTestBed.PORT);
    private final ScsiTask task = new ScsiTask(this);
    private final ByteBuffer cdb = ByteBuffer.allocate(16);
    private ByteBuffer[] segments = new ByteBuffer[0];
    private int length;

    @Setup
    public void addDisk() throws StoreException {
        LogicalUnit unit = new LogicalUnit(LogicalUnitConfig.defaults(ScsiTestBed.SERIAL), MemoryStore.open(8 << 20));
        server.addLogicalUnit(0, unit);
        nexus.forget(unit);
        cdb.put(0, HexFormat.of().parseHex("28000000000000000000")).putShort(7, (short) blocks);
        length = blocks * 512;
        segments = new ByteBuffer[] {ByteBuffer.allocateDirect(length)};
    }

    @Benchmark
    public ScsiStatus read() {
        task.prepare(nexus, Lun.encode(0), TaskAttribute.SIMPLE, cdb, 0, 10, 0, length);
        if (server.begin(task) == TaskPhase.READY) {
            task.data(segments, 1, length);
            server.execute(task);
        }
        return task.status();
    }

    @Override
    public void onTaskBegun(ScsiTask begun, TaskPhase phase) {}

    @Override
    public void onTaskDone(ScsiTask done) {}

    @Override
    public void onTaskAborted(ScsiTask aborted) {}

    @Override
    public void onStoreReleased(ScsiTask released) {}
}
