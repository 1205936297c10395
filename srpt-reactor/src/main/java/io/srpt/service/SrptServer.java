package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.mad.MadPort;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.roce.packet.PcapWriter;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.store.BlockStore;
import io.srpt.store.StoreException;
import io.srpt.store.StoreSpec;
import io.srpt.store.StoreThreads;
import io.srpt.target.AccessControl;
import io.srpt.target.SrptPort;
import io.srpt.target.SrptTarget;
import io.srpt.target.TargetConfig;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running target: puts loop, device, disks and target together and takes them apart again in the opposite order.
 *
 * <pre>
 *   RdmaEventLoops ─ RdmaDevice ─ RdmaPort ─┬─ DeviceManagementAgent
 *                                           └─ SrptPort ─ SrptTarget ─ DeviceServer ─ LogicalUnit ─ BlockStore
 * </pre>
 *
 * <p>Threads: any but the loops.
 */
public final class SrptServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SrptServer.class);
    private static final Duration SPIN = Duration.ofNanos(50_000);
    private static final long STEP_SECONDS = 5;
    private static final int STORE_THREADS = 4;
    private static final int STORE_QUEUE = 256;

    private final long serviceGuid;
    private final ServeConfiguration configuration;
    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<ReadyLine> addresses = new ArrayList<>();
    private Statistics statistics = each -> {};
    private boolean closed;

    private SrptServer(ServeConfiguration configuration, long serviceGuid) {
        this.configuration = configuration;
        this.serviceGuid = serviceGuid;
    }

    /** Starts a target; it takes logins when this returns. What was started is stopped again if a step fails. */
    static SrptServer start(ServeConfiguration configuration, long serviceGuid, DeviceFactory devices)
            throws ServiceException {
        SrptServer server = new SrptServer(configuration, serviceGuid);
        try {
            server.startAll(devices);
        } catch (ServiceException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Where it can be reached, in the order of the configuration. */
    public List<ReadyLine> addresses() {
        return List.copyOf(addresses);
    }

    /** What it counts. */
    Statistics statistics() {
        return statistics;
    }

    /** Logs all initiators out and frees everything; each step has a bound. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Step step = steps.pollLast(); step != null; step = steps.pollLast()) {
            try {
                step.undo();
            } catch (Exception e) {
                LOG.warn("While stopping: {}", e.toString());
            }
        }
    }

    private void startAll(DeviceFactory devices) throws ServiceException {
        StoreThreads storeThreads = new StoreThreads("srpt-store", STORE_THREADS, STORE_QUEUE);
        steps.add(storeThreads::close);
        List<LogicalUnit> units = openUnits(storeThreads);
        RdmaEventLoops loops = new RdmaEventLoops(1, "srpt-loop", SPIN);
        steps.add(loops::close);
        RdmaEventLoop loop = loops.loops().getFirst();
        DeviceFactory.Extras extras =
                new DeviceFactory.Extras(configuration.mtu(), openCapture(), configuration.faults());
        List<RdmaDevice> opened = new ArrayList<>();
        for (InterfaceAddresses group : InterfaceAddresses.group(configuration.listen())) {
            RdmaDevice device = devices.open(loop, group, extras);
            steps.add(() -> onLoop(loop, "closing " + device.name(), device::close));
            opened.add(device);
        }
        DeviceServer deviceServer = new DeviceServer(loop);
        onLoop(loop, "adding the disks", () -> {
            for (int lun = 0; lun < units.size(); lun++) {
                deviceServer.addLogicalUnit(lun, units.get(lun));
            }
        });
        TargetConfig target = TargetConfig.builder(serviceGuid)
                .rdmaCmPort(configuration.rdmaCmPort())
                .build();
        startTarget(opened, new SrptTarget(target, deviceServer, accessControl(), new SessionLog()));
        for (InetAddress address : configuration.listen()) {
            addresses.add(new ReadyLine(serviceGuid, address, configuration.rdmaCmPort()));
        }
    }

    private @Nullable PcapWriter openCapture() throws ServiceException {
        Path file = configuration.pcap();
        if (file == null) {
            return null;
        }
        try {
            PcapWriter capture = PcapWriter.open(file, Long.MAX_VALUE);
            steps.add(capture::close);
            return capture;
        } catch (IOException e) {
            throw new ServiceException("cannot write the capture file " + file + ": " + e, e);
        }
    }

    private void startTarget(List<RdmaDevice> devices, SrptTarget target) throws ServiceException {
        steps.add(() -> await("logging initiators out", target.close()));
        for (RdmaDevice device : devices) {
            for (RdmaPort port : device.ports()) {
                SrptPort added = await("offering the target on " + device.name(), target.addPort(port));
                if (port instanceof MadPort madPort) {
                    startDeviceManagement(madPort);
                }
                added.enable();
            }
        }
        statistics = new ServerStatistics(target.ports(), devices);
    }

    private void startDeviceManagement(MadPort port) throws ServiceException {
        onLoop(port.loop(), "answering discovery", () -> {
            DeviceManagementAgent agent = new DeviceManagementAgent(
                    port.mads(),
                    IoControllerDescription.of(serviceGuid, port.device().attributes()));
            steps.add(() -> onLoop(port.loop(), "ending discovery", agent::close));
        });
    }

    private List<LogicalUnit> openUnits(StoreThreads threads) throws ServiceException {
        List<LogicalUnit> units = new ArrayList<>();
        for (StoreSpec spec : configuration.luns()) {
            int lun = units.size();
            try {
                BlockStore store = spec.open(threads);
                steps.add(store::close);
                String serial =
                        LogicalUnitConfig.serialFrom(Guid.format(serviceGuid), Integer.toString(lun), spec.identity());
                units.add(new LogicalUnit(LogicalUnitConfig.defaults(serial), store));
            } catch (StoreException e) {
                throw new ServiceException("LUN " + lun + ": " + e.getMessage(), e);
            }
        }
        return units;
    }

    private AccessControl accessControl() {
        return switch (configuration.access()) {
            case AccessPolicy.Any any -> AccessControl.any();
            case AccessPolicy.Listed listed -> AccessControl.listed(listed.ports(), listed.addresses());
        };
    }

    private static void onLoop(RdmaLoop loop, String what, LoopAction action) throws ServiceException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (VerbsException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        await(what, done);
    }

    private static <T> T await(String what, CompletableFuture<T> future) throws ServiceException {
        try {
            return future.get(STEP_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ServiceException(what + " did not end within " + STEP_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException(what + " was interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServiceException(what + " failed: " + cause.getMessage(), cause);
        }
    }

    /** How to take one thing apart again. */
    @FunctionalInterface
    private interface Step {
        void undo() throws Exception;
    }

    @FunctionalInterface
    private interface LoopAction {
        void run() throws VerbsException;
    }
}
