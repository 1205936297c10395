package io.srpt.srp;

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

/** What the target does with each command's information unit, and the response that it writes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InformationUnitBenchmark {
    private static final int MAX_LENGTH = 8276;
    private static final int IMMEDIATE_OFFSET = 68;
    private static final int DESCRIPTORS = 16;

    private final ByteBuffer direct = ByteBuffer.allocateDirect(MAX_LENGTH);
    private final ByteBuffer indirect = ByteBuffer.allocateDirect(MAX_LENGTH);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(MAX_LENGTH);
    private final SrpCommand command = new SrpCommand();
    private final SrpResponse response = new SrpResponse();
    private final int directLength;
    private final int indirectLength;

    public InformationUnitBenchmark() {
        command.wrap(direct, 0).initialise().dataInFormat(BufferFormat.DIRECT);
        directLength = command.directDescriptor(0x1000, 1, 4096);
        command.wrap(indirect, 0)
                .initialise()
                .dataInFormat(BufferFormat.INDIRECT)
                .dataInCount(DESCRIPTORS)
                .indirectDescriptor(0x1000, 1, DESCRIPTORS * 16, DESCRIPTORS * 512);
        DescriptorTable table = command.tableInUnit(DESCRIPTORS);
        for (int i = 0; i < DESCRIPTORS; i++) {
            table.descriptor(i, 0x10000L * i, 2, 512);
        }
        indirectLength = command.indirectUnitLength(DESCRIPTORS);
    }

    @Benchmark
    public CommandCheck validateDirect() {
        return CommandValidator.validate(command.wrap(direct, 0), directLength, IMMEDIATE_OFFSET, MAX_LENGTH);
    }

    @Benchmark
    public CommandCheck validateIndirect() {
        return CommandValidator.validate(command.wrap(indirect, 0), indirectLength, IMMEDIATE_OFFSET, MAX_LENGTH);
    }

    @Benchmark
    public SrpResponse respond() {
        return response.wrap(answer, 0)
                .initialise()
                .tag(0x1122)
                .requestLimitDelta(1)
                .status(0);
    }
}
