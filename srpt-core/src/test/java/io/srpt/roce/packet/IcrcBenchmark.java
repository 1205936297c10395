package io.srpt.roce.packet;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
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

/** The invariant CRC of a packet with a payload of {@link #payload} bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IcrcBenchmark {
    @Param({"64", "1024", "4096"})
    public int payload;

    private final Icrc icrc = new Icrc();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(8192);
    private final FlowHeader flow = new FlowHeader(Gid.parse("192.0.2.20"), Gid.parse("192.0.2.21"), 0xF972);
    private int length;

    @Setup
    public void write() {
        length = icrc.appendTo(packet, 0, Bth.LENGTH + payload, flow);
    }

    @Benchmark
    public int append() {
        return icrc.appendTo(packet, 0, Bth.LENGTH + payload, flow);
    }

    @Benchmark
    public IcrcVerdict verify() {
        return icrc.verify(packet, 0, length, flow);
    }
}
