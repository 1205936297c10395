package io.srpt.roce.packet;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The headers of an RDMA WRITE FIRST: Base and RDMA Extended Transport Header. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PacketBenchmark {
    private final ByteBuffer packet = ByteBuffer.allocateDirect(256);
    private final Bth bth = new Bth();
    private final Reth reth = new Reth();
    private int psn;

    @Benchmark
    public int encode() {
        psn++;
        bth.wrap(packet, 0)
                .opcode(Opcode.RC_WRITE_FIRST)
                .partitionKey(0xFFFF)
                .destinationQp(0x17)
                .ackRequest(true)
                .psn(psn & 0xFF_FFFF);
        reth.wrap(packet, Bth.LENGTH)
                .virtualAddress(0xFFFF_8880_0000_0000L)
                .remoteKey(0x1234)
                .dmaLength(65536);
        return psn;
    }

    @Benchmark
    public long decode() {
        bth.wrap(packet, 0);
        reth.wrap(packet, Bth.LENGTH);
        return bth.opcode()
                + bth.destinationQp()
                + bth.psn()
                + reth.virtualAddress()
                + reth.remoteKey()
                + reth.dmaLength();
    }
}
