package io.srpt.reactor;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.initiator.SrpException;
import io.srpt.initiator.SrpSessionConfiguration;
import io.srpt.initiator.SrpTargetDiscovery;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.loop.RdmaLoopSettings;
import io.srpt.mad.MadPort;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.roce.RoceConfiguration;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.net.EpollDatagramPort;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.FaultyDatagramPort;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.service.TestAddresses;
import io.srpt.store.MemoryStore;
import io.srpt.target.AccessControl;
import io.srpt.target.SrptPort;
import io.srpt.target.SrptTarget;
import io.srpt.target.TargetConfig;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaLoop;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A target with a runtime, and an initiator, on real loops and sockets of the loopback interface. */
final class LiveTarget implements AutoCloseable {
    /** How the names of the target's loops begin. */
    static final String LOOPS = "srpt-live";

    static final int BLOCK = 512;

    private static final long GUID = 0x0200_00FF_FE00_0077L;
    private static final int CM_PORT = 5555;
    private static final long DISK_BYTES = 8L << 20;
    private static final long STEP_SECONDS = 20;

    private final RdmaEventLoops loops;
    private final RdmaEventLoops initiatorLoops = new RdmaEventLoops(1, "srpt-peer", RdmaLoopSettings.DEFAULTS);
    private final RdmaEventLoop loop;
    private final InetAddress address;
    private final RoceDevice device;
    private final RoceDevice peer;
    private final SrptTarget target;
    private final SrptTargetRuntime runtime;
    private final SrptPort port;

    LiveTarget(int number, SrptTargetRuntime runtime, Duration stallLimit, FaultSpec faults) throws Exception {
        this.runtime = runtime;
        loops = new RdmaEventLoops(1, LOOPS, RdmaLoopSettings.DEFAULTS.withStallLimit(stallLimit));
        loop = loops.loops().getFirst();
        address = InetAddress.getByName(TestAddresses.ofThisProcess(number * 2 + 10));
        device = open(loop, "target", GUID, address, faults);
        peer = open(
                initiatorLoops.loops().getFirst(),
                "initiator",
                GUID + 1,
                InetAddress.getByName(TestAddresses.ofThisProcess(number * 2 + 11)),
                FaultSpec.NONE);
        DeviceServer deviceServer = new DeviceServer(loop);
        MemoryStore store = MemoryStore.open(DISK_BYTES);
        onLoop(loop, () -> {
            deviceServer.addLogicalUnit(0, new LogicalUnit(LogicalUnitConfig.defaults("live"), store));
            return 0;
        });
        runtime.watch(loops);
        runtime.addDevice(device).get(STEP_SECONDS, TimeUnit.SECONDS);
        target = new SrptTarget(
                TargetConfig.builder(GUID).rdmaCmPort(CM_PORT).build(),
                deviceServer,
                AccessControl.any(),
                runtime.targetEvents());
        port = target.addPort(device.ports().getFirst()).get(STEP_SECONDS, TimeUnit.SECONDS);
        DeviceManagementAgent agent = onLoop(
                loop,
                () -> new DeviceManagementAgent(
                        madPort().mads(), IoControllerDescription.of(GUID, device.attributes())));
        runtime.addPort(port, agent).get(STEP_SECONDS, TimeUnit.SECONDS);
        port.enable();
        // It takes effect on the loop.
        onLoop(loop, () -> 0);
    }

    private static RoceDevice open(RdmaEventLoop loop, String name, long guid, InetAddress address, FaultSpec faults)
            throws Exception {
        EpollDatagramPort socket = EpollDatagramPort.bind(loop, address);
        return onLoop(
                loop,
                () -> RoceDevice.open(
                        loop,
                        RoceConfiguration.of(name, guid, 1024),
                        List.of(faults.equals(FaultSpec.NONE) ? socket : new FaultyDatagramPort(socket, faults))));
    }

    static <T> T onLoop(RdmaLoop loop, Callable<T> action) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(STEP_SECONDS, TimeUnit.SECONDS);
    }

    RdmaEventLoop loop() {
        return loop;
    }

    MadPort madPort() {
        return device.madPort();
    }

    SrptPort port() {
        return port;
    }

    String portName() {
        return port.name();
    }

    /** Asks the target what it is. */
    List<DiscoveredTarget> discover() throws Exception {
        return SrpTargetDiscovery.discover(peer.madPort(), 0, Gid.of(address)).get(STEP_SECONDS, TimeUnit.SECONDS);
    }

    /** Logs in. */
    BlockingSrpClient login() throws SrpException, InterruptedIOException {
        return BlockingSrpClient.connect(
                peer.ports().getFirst(),
                SrpSessionConfiguration.builder()
                        .path(0, Gid.of(address))
                        .serviceId(ConnectionManager.rdmaCmServiceId(CM_PORT))
                        .initiatorPort(0, GUID + 1)
                        .targetPort(GUID, GUID)
                        .build(),
                Duration.ofSeconds(STEP_SECONDS));
    }

    @Override
    public void close() throws Exception {
        target.close().get(STEP_SECONDS, TimeUnit.SECONDS);
        onLoop(loop, () -> {
            device.close();
            return 0;
        });
        onLoop(initiatorLoops.loops().getFirst(), () -> {
            peer.close();
            return 0;
        });
        runtime.close();
        loops.close();
        initiatorLoops.close();
    }
}
