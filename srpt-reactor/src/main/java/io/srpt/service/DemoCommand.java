package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.roce.net.FaultSpec;
import io.srpt.store.StoreSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code srpt demo}: target and initiator in one process, over UDP on the loopback interface. */
@Command(
        name = "demo",
        description =
                "Serves a memory disk on 127.0.0.1; the built-in initiator discovers it, logs in, writes, reads back"
                        + " and verifies. Then the target stays up for other initiators.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all went well", "1:something did not", "2:wrong options"})
final class DemoCommand implements Callable<Integer> {
    private static final long DISK_BYTES = 64L << 20;
    private static final int CHUNK_BYTES = 65536;
    private static final int CHUNKS = 64;

    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--listen",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "The target's address. Default: 127.0.0.1")
    private String listen = "127.0.0.1";

    @Option(names = "--rdma-cm-port", paramLabel = "PORT", defaultValue = "5555", description = "Default: 5555")
    private int rdmaCmPort;

    @Option(names = "--once", description = "Exits when the initiator has logged out.")
    private boolean once;

    DemoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws ConfigurationException, ServiceException, IOException {
        InetAddress address = Addresses.parse("listen", listen);
        Path state = StateDirectory.of(context.environment(), context.home());
        ServeConfiguration configuration = new ServeConfiguration(
                List.of(LunConfiguration.of(0, new StoreSpec.Memory(DISK_BYTES))),
                List.of(address),
                rdmaCmPort,
                OptionalLong.empty(),
                state,
                null,
                FaultSpec.NONE,
                List.of(),
                null,
                0,
                new AccessPolicy.Any(),
                true,
                TargetSettings.DEFAULT,
                RuntimeSettings.withoutHttp());
        long guid = new ServiceGuidFile(state, context.random()).readOrCreate();
        PrintWriter out = SrptCommand.out(spec);
        SrptServer server = SrptServer.start(configuration, guid, context.devices());
        try {
            say(out, "Target: a memory disk of 64 MiB at " + Addresses.withPort(address, rdmaCmPort));
            initiate(address, out);
        } catch (ConfigurationException | ServiceException | IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        if (once) {
            server.close();
            return ExitCode.OK;
        }
        context.stop().listen();
        say(out, "The target stays up until Ctrl-C. On a Linux host that reaches it, with ib_srp on an RDMA device:");
        server.addresses()
                .forEach(line -> say(out, "  echo '" + line + "' > /sys/class/infiniband_srp/srp-DEVICE-1/add_target"));
        context.stop().awaitAndRun(server::close);
        return ExitCode.OK;
    }

    private void initiate(InetAddress address, PrintWriter out)
            throws ConfigurationException, ServiceException, IOException {
        List<InetAddress> candidates = LocalAddress.towards(address);
        try (InitiatorHost host = InitiatorHost.openFirst(candidates, context.devices())) {
            DiscoveredTarget found = host.discoverOne(address);
            say(out, "Initiator at " + Addresses.plain(host.address()) + ": discovered " + found.serviceName());
            try (BlockingSrpClient client =
                    host.login(host.session(address, rdmaCmPort, found).build())) {
                say(out, "Logged in; LUNs " + client.reportLuns());
                client.testUnitReady(0);
                BlockingSrpClient.Capacity capacity = client.capacity(0);
                BlockingSrpClient.Inquiry inquiry = client.inquiry(0);
                say(
                        out,
                        "LUN 0: " + inquiry.vendor() + " " + inquiry.product() + ", " + capacity.blocks()
                                + " blocks of " + capacity.blockSize() + " bytes");
                verify(client, capacity, out);
            }
            say(out, "Logged out.");
        }
    }

    private static void verify(BlockingSrpClient client, BlockingSrpClient.Capacity capacity, PrintWriter out)
            throws ServiceException, IOException {
        int blockSize = capacity.blockSize();
        int blocks = CHUNK_BYTES / blockSize;
        byte[] data = new byte[CHUNK_BYTES];
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            new Random(chunk).nextBytes(data);
            client.write(0, (long) chunk * blocks, data, blockSize);
        }
        client.synchronizeCache(0);
        say(out, "Wrote " + CHUNKS * CHUNK_BYTES + " bytes in " + CHUNKS + " commands");
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            new Random(chunk).nextBytes(data);
            byte[] back = client.read(0, (long) chunk * blocks, blocks, blockSize);
            if (!Arrays.equals(data, back)) {
                throw new ServiceException("the data read back at block " + (long) chunk * blocks + " differ");
            }
        }
        say(out, "Read them back: all equal");
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
