package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.initiator.SrpBench;
import io.srpt.initiator.SrpBenchResult;
import io.srpt.initiator.SrpSession;
import io.srpt.initiator.SrpSessionConfiguration;
import io.srpt.initiator.SrpWorkload;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code srpt bench}: a workload on one channel or several. */
@Command(
        name = "bench",
        description =
                "Measures a target with one session. A mix that writes overwrites the disk. Says on standard error"
                        + " when the measured time begins and ends, for those who look at the target meanwhile.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:measured", "1:no answer, login refused, or a command failed", "2:wrong options"})
final class BenchCommand implements Callable<Integer> {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long GRACE_SECONDS = 60;

    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private PeerOptions peer = new PeerOptions();

    @Option(names = "--rdma-cm-port", paramLabel = "PORT", defaultValue = "5555", description = "Default: 5555")
    private int rdmaCmPort;

    @Option(names = "--lun", paramLabel = "LUN", defaultValue = "0", description = "Default: 0")
    private int lun;

    @Option(names = "--block-size", paramLabel = "BYTES", defaultValue = "4096", description = "Default: 4096")
    private int blockSize;

    @Option(names = "--depth", paramLabel = "N", defaultValue = "32", description = "Commands in flight. Default: 32")
    private int depth;

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "1",
            description = "Channels of the session, one connection each. Default: 1")
    private int channels;

    @Option(
            names = "--busy",
            paramLabel = "N",
            description = "How many channels get commands, in turn; the others are idle. 0: holds all of them idle for"
                    + " --seconds. Default: all")
    private @Nullable Integer busy;

    @Option(
            names = "--mix",
            paramLabel = "read|write|PERCENT",
            defaultValue = "read",
            description = "Only reads, only writes, or the percentage of reads. Default: read")
    private String mix = "read";

    @ArgGroup
    private @Nullable Order order;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "10", description = "Default: 10")
    private int seconds;

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Time before measuring. Default: 2")
    private int warmup;

    @Option(
            names = "--no-immediate",
            negatable = true,
            description = "Sends no write data inside the command, where ib_srp does so up to 8 KiB.")
    private boolean immediate = true;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "Path MTU to ask for: 256, 512, 1024, 2048 or 4096. Default: our interface's; less where the"
                    + " target's interface takes less")
    private int mtu;

    @Option(
            names = "--ioc-guid",
            paramLabel = "GUID",
            description =
                    "The target's identity, as its id_ext and ioc_guid say. Default: asked for by discovery, which an"
                            + " RDMA device cannot do")
    private @Nullable String identity;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws ConfigurationException, ServiceException, IOException {
        InetAddress target = peer.target();
        int readPercent = readPercent(mix);
        checkRanges();
        try (InitiatorHost host = InitiatorHost.openFirst(peer.local(), peer.devices(context))) {
            DiscoveredTarget found = identity == null ? host.discoverOne(target) : given(identity);
            SrpSessionConfiguration.Builder configuration = host.session(target, rdmaCmPort, found)
                    .pathMtu(mtu)
                    .maxTransferLength(Math.max(blockSize, 4096))
                    .immediateData(immediate);
            int loaded = busy == null ? channels : busy;
            try (BenchSessions sessions = BenchSessions.login(host, configuration, channels, loaded, depth)) {
                BenchReport report = new BenchReport(this::tell);
                report.onLoggedIn(sessions.channels(), sessions.loginsPerSecond());
                if (loaded == 0) {
                    hold();
                } else {
                    measure(sessions, readPercent, report);
                }
            }
        }
        return ExitCode.OK;
    }

    private void tell(String phase) {
        PrintWriter err = SrptCommand.err(spec);
        err.println(phase);
        err.flush();
    }

    private void hold() throws ServiceException {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        }
    }

    private void measure(BenchSessions sessions, int readPercent, BenchReport report)
            throws ConfigurationException, ServiceException, IOException {
        BlockingSrpClient client = sessions.first();
        client.testUnitReady(lun);
        BlockingSrpClient.Capacity capacity = client.capacity(lun);
        SrpBenchResult result = run(sessions.busy(), workload(capacity, readPercent), report);
        PrintWriter out = SrptCommand.out(spec);
        out.print(json ? report.json(result) : report.text(result));
        out.flush();
        if (result.errors() > 0) {
            throw new ServiceException(result.errors() + " commands failed, the first with: " + result.firstError());
        }
    }

    private static DiscoveredTarget given(String identity) throws ConfigurationException {
        long guid = Guid.parse(identity);
        return new DiscoveredTarget(guid, guid, "", guid, 0, 0, 0, "");
    }

    private SrpWorkload workload(BlockingSrpClient.Capacity capacity, int readPercent) throws ConfigurationException {
        try {
            return new SrpWorkload(
                    lun,
                    capacity.blocks(),
                    capacity.blockSize(),
                    blockSize,
                    depth,
                    readPercent,
                    order == null || !order.sequential,
                    warmup * NANOS_PER_SECOND,
                    seconds * NANOS_PER_SECOND,
                    1);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private SrpBenchResult run(List<SrpSession> sessions, SrpWorkload workload, BenchReport report)
            throws ServiceException {
        CompletableFuture<SrpBenchResult> done = new CompletableFuture<>();
        sessions.getFirst().loop().execute(() -> {
            try {
                new SrpBench(sessions, workload, report, done::complete).start();
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.get((long) warmup + seconds + GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ServiceException("the benchmark did not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        } catch (ExecutionException e) {
            throw new ServiceException("the benchmark failed: " + e.getCause(), e);
        }
    }

    private void checkRanges() throws ConfigurationException {
        range("rdma-cm-port", rdmaCmPort, 1, 65535);
        range("lun", lun, 0, 16383);
        range("block-size", blockSize, 512, 16 << 20);
        range("depth", depth, 1, 1024);
        range("channels", channels, 1, 10_000);
        if (busy != null) {
            range("busy", busy, 0, channels);
        }
        range("seconds", seconds, 1, 86_400);
        range("warmup", warmup, 0, 3600);
    }

    private static void range(String option, int value, int min, int max) throws ConfigurationException {
        if (value < min || value > max) {
            throw new ConfigurationException(option + ": " + value + " is not from " + min + " to " + max);
        }
    }

    /** Reads {@code --mix}. */
    static int readPercent(String mix) throws ConfigurationException {
        switch (mix) {
            case "read" -> {
                return 100;
            }
            case "write" -> {
                return 0;
            }
            default -> {
                try {
                    int percent = Integer.parseInt(mix);
                    range("mix", percent, 0, 100);
                    return percent;
                } catch (NumberFormatException e) {
                    throw new ConfigurationException(
                            "mix: '" + mix + "' is neither read nor write nor a percentage of reads", e);
                }
            }
        }
    }

    /** Where the commands go. */
    static final class Order {
        @Option(names = "--random", description = "Random places on the disk; the default.")
        private boolean random;

        @Option(names = "--sequential", description = "One place after the other.")
        private boolean sequential;
    }
}
