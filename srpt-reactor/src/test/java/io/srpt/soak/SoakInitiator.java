package io.srpt.soak;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.initiator.SrpSessionConfiguration;
import io.srpt.initiator.SrpTargetDiscovery;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.mad.MadPort;
import io.srpt.roce.RoceConfiguration;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.net.EpollDatagramPort;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An initiator on an address of its own that comes, looks around, moves data, checks it and goes. One thread. */
final class SoakInitiator implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int RDMA_CM_PORT = 5555;
    private static final int PATH_MTU = 4096;
    private static final int BLOCK_SIZE = 512;
    private static final int MAX_BLOCKS = 256;
    private static final int TRANSFERS = 40;

    private final RdmaEventLoops loops = new RdmaEventLoops(1, "soak-initiator", Duration.ZERO);
    private final InetAddress target;
    private final long number;
    private final Random random;
    private final RoceDevice device;

    /**
     * Opens a device on {@code local}.
     *
     * @param number from 0: the part of the disk that belongs to this initiator, and its name
     */
    SoakInitiator(InetAddress local, InetAddress target, int number, long seed) throws Exception {
        this.target = target;
        this.number = number;
        this.random = new Random(seed + number);
        RdmaEventLoop loop = loop();
        EpollDatagramPort port = EpollDatagramPort.bind(loop, local);
        CompletableFuture<RoceDevice> opened = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                opened.complete(RoceDevice.open(
                        loop,
                        RoceConfiguration.of("soak-" + number, 0x0200_0000_0000_5000L + number, PATH_MTU),
                        List.of(port)));
            } catch (Exception e) {
                opened.completeExceptionally(e);
            }
        });
        device = opened.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private RdmaEventLoop loop() {
        return loops.loops().getFirst();
    }

    /** One visit: discovery, login, transfers, logout. Fails if anything does, or if data read are not those written. */
    void visit() throws Exception {
        try (BlockingSrpClient client = login()) {
            client.testUnitReady(0);
            client.inquiry(0);
            BlockingSrpClient.Capacity capacity = client.capacity(0);
            long half = capacity.blocks() / 2;
            for (int transfer = 0; transfer < TRANSFERS; transfer++) {
                int blocks = 1 + random.nextInt(MAX_BLOCKS);
                long address = number % 2 * half + random.nextLong(half - blocks);
                byte[] data = new byte[blocks * BLOCK_SIZE];
                random.nextBytes(data);
                client.write(0, address, data, BLOCK_SIZE);
                if (!Arrays.equals(client.read(0, address, blocks, BLOCK_SIZE), data)) {
                    throw new AssertionError("block " + address + " reads other data than were written");
                }
            }
            client.synchronizeCache(0);
        }
    }

    /** Finds the target and logs in. */
    BlockingSrpClient login() throws Exception {
        MadPort port = device.madPort();
        List<DiscoveredTarget> found =
                SrpTargetDiscovery.discover(port, 0, Gid.of(target)).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        DiscoveredTarget first = found.getFirst();
        SrpSessionConfiguration configuration = SrpSessionConfiguration.builder()
                .path(0, Gid.of(target))
                .serviceId(ConnectionManager.rdmaCmServiceId(RDMA_CM_PORT))
                .initiatorPort(random.nextLong(), device.attributes().nodeGuid())
                .targetPort(first.idExtension(), first.iocGuid())
                .queueDepth(8)
                .maxTransferLength(MAX_BLOCKS * BLOCK_SIZE)
                .immediateData(random.nextBoolean())
                .build();
        return BlockingSrpClient.connect(device.ports().getFirst(), configuration, TIMEOUT);
    }

    @Override
    public void close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop().execute(() -> {
            device.close();
            done.complete(null);
        });
        done.completeOnTimeout(null, TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        loops.close();
    }
}
