package io.srpt.reactor;

import io.srpt.loop.VirtualClock;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadReceiveHandler;
import io.srpt.mad.MadService;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A MAD is sent, its completion goes to the stream, and the resident subscriber releases its buffer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MadSendBenchmark {
    private static final int BUFFERS = 16;
    private static final int CLASS = 0x32;

    private final FakeMadTransport transport = new FakeMadTransport(BUFFERS);
    private final MadService service = new MadService("benchmark/1", new VirtualClock().newLoop("port"), transport);
    private final HandlerErrors errors = new HandlerErrors();
    private final EventStreams events = new EventStreams(16, Runnable::run, errors);
    private final MadAddress to = MadAddress.generalServices(0, FakeMadTransport.PEER);
    private final MadHeader header = new MadHeader();

    private MadAgent agent;

    @Setup
    public void start() throws VerbsException {
        service.start();
        new MadPortStreams(service, events.of(EventKind.MAD), new MadSendSubscriber(), errors);
        agent = service.register(CLASS, 1, MadReceiveHandler.IGNORE);
    }

    @Benchmark
    public long send() {
        MadBuffer buffer = Objects.requireNonNull(agent.allocate());
        header.wrap(buffer.buffer(), MadBuffer.MAD_OFFSET)
                .baseVersion(MadHeader.BASE_VERSION)
                .managementClass(CLASS)
                .method(MadHeader.METHOD_GET)
                .transactionId(agent.nextTransactionId());
        agent.send(buffer, to);
        transport.completeNext(WorkCompletionStatus.SUCCESS);
        return service.counters().sendsReleased.get();
    }
}
