package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.mad.MadPort;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.reactor.SrptStreams;
import io.srpt.reactor.SrptTargetRuntime;
import io.srpt.reactor.fault.FaultInjection;
import io.srpt.roce.packet.PcapWriter;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.store.BlockStore;
import io.srpt.store.StoreException;
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
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
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
    private static final long STEP_SECONDS = 5;
    private static final int STORE_THREADS = 4;
    private static final int STORE_QUEUE = 256;
    private static final long DRAIN_LOOK_MILLIS = 10;

    private final long serviceGuid;
    private final ServeConfiguration configuration;
    private final ServerExtensions extensions;
    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<ReadyLine> addresses = new ArrayList<>();
    private final Map<Integer, LogicalUnit> units = new LinkedHashMap<>();
    private final List<RdmaDevice> opened = new ArrayList<>();
    private @Nullable RdmaEventLoops loops;
    private @Nullable DeviceServer deviceServer;
    private @Nullable SrptTarget target;
    private @Nullable SrptTargetRuntime runtime;
    private boolean closed;

    private SrptServer(ServeConfiguration configuration, long serviceGuid, ServerExtensions extensions) {
        this.configuration = configuration;
        this.extensions = extensions;
        this.serviceGuid = serviceGuid;
    }

    /** A target inside another program. */
    public static SrptServerBuilder builder() {
        return new SrptServerBuilder();
    }

    /** Starts a target; it takes logins when this returns. What was started is stopped again if a step fails. */
    static SrptServer start(ServeConfiguration configuration, long serviceGuid, DeviceFactory devices)
            throws ServiceException {
        return start(configuration, serviceGuid, devices, ServerExtensions.of(configuration));
    }

    /** Like the other, with what a program adds. */
    static SrptServer start(
            ServeConfiguration configuration, long serviceGuid, DeviceFactory devices, ServerExtensions extensions)
            throws ServiceException {
        SrptServer server = new SrptServer(configuration, serviceGuid, extensions);
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

    /** Its event loops. */
    List<RdmaEventLoop> loops() {
        return started(loops).loops();
    }

    /** Its devices. */
    List<RdmaDevice> devices() {
        return List.copyOf(opened);
    }

    /** Its disks by LUN. */
    Map<Integer, LogicalUnit> units() {
        return Collections.unmodifiableMap(units);
    }

    DeviceServer deviceServer() {
        return started(deviceServer);
    }

    /** The target, with its ports. */
    SrptTarget target() {
        return started(target);
    }

    /** All that is published; see there for threads, demand and what an observer may miss. */
    public SrptStreams streams() {
        return runtime().streams();
    }

    /** Streams of completions and events, and who handles them. */
    public SrptTargetRuntime runtime() {
        return started(runtime);
    }

    private static <T> T started(@Nullable T part) {
        return Objects.requireNonNull(part, "the server has not started");
    }

    /**
     * Refuses new logins and waits until no command is in hand, but at most {@code limit}: initiators that go on sending
     * are cut off by {@link #close()}. Not on a loop.
     */
    void drain(Duration limit) {
        SrptTarget draining = target;
        if (draining == null) {
            return;
        }
        List<SrptPort> ports = draining.ports();
        ports.forEach(SrptPort::refuseLogins);
        long start = System.nanoTime();
        while (System.nanoTime() - start < limit.toNanos() && isBusy(ports)) {
            try {
                Thread.sleep(DRAIN_LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (isBusy(ports)) {
            LOG.warn("Initiators still send commands after {} ms; they are logged out", limit.toMillis());
        }
    }

    private static boolean isBusy(List<SrptPort> ports) {
        return ports.stream().anyMatch(port -> port.counters().commandsInUse.get() > 0);
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
        openUnits(storeThreads);
        RdmaEventLoops group =
                new RdmaEventLoops(1, "srpt-loop", configuration.runtime().pollSpin());
        loops = group;
        steps.add(group::close);
        RdmaEventLoop loop = group.loops().getFirst();
        SrptTargetRuntime streams = extensions
                .runtime()
                .apply(SrptTargetRuntime.builder().targetEvents(new SessionLog()))
                .build();
        runtime = streams;
        steps.add(streams::close);
        streams.watch(group);
        DeviceFactory.Extras extras =
                new DeviceFactory.Extras(configuration.mtu(), openCapture(), configuration.faults());
        for (InterfaceAddresses shared : InterfaceAddresses.group(configuration.listen())) {
            RdmaDevice device = devices.open(loop, shared, extras);
            steps.add(() -> onLoop(loop, "closing " + device.name(), device::close));
            opened.add(device);
            await("watching " + device.name(), streams.addDevice(device));
        }
        DeviceServer server = new DeviceServer(loop);
        deviceServer = server;
        onLoop(loop, "adding the disks", () -> units.forEach(server::addLogicalUnit));
        TargetConfig config = TargetConfig.builder(serviceGuid)
                .rdmaCmPort(configuration.rdmaCmPort())
                // Plain IB/CM is not to be had from user space.
                .ibCm(!configuration.runtime().provider().hardware())
                .build();
        startTarget(new SrptTarget(config, server, accessControl(), streams.targetEvents()), streams);
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

    /** The disks are there before a port takes the first login, and the streams before the first completion. */
    private void startTarget(SrptTarget starting, SrptTargetRuntime streams) throws ServiceException {
        target = starting;
        steps.add(() -> await("logging initiators out", starting.close()));
        for (RdmaDevice device : opened) {
            for (RdmaPort port : device.ports()) {
                SrptPort added = await("offering the target on " + device.name(), starting.addPort(port));
                DeviceManagementAgent discovery = port instanceof MadPort madPort ? deviceManagement(madPort) : null;
                await("handling completions on " + device.name(), streams.addPort(added, discovery));
                FaultInjection faults = extensions.faults();
                if (faults != null) {
                    await("injecting faults on " + device.name(), faults.install(added));
                }
                added.enable();
            }
        }
    }

    private DeviceManagementAgent deviceManagement(MadPort port) throws ServiceException {
        CompletableFuture<DeviceManagementAgent> made = new CompletableFuture<>();
        onLoop(
                port.loop(),
                "answering discovery",
                () -> made.complete(new DeviceManagementAgent(
                        port.mads(),
                        IoControllerDescription.of(serviceGuid, port.device().attributes()))));
        DeviceManagementAgent agent = made.join();
        steps.add(() -> onLoop(port.loop(), "ending discovery", agent::close));
        return agent;
    }

    private void openUnits(StoreThreads threads) throws ServiceException {
        List<LunSource> sources = Stream.concat(
                        configuration.luns().stream().map(LunSource::of), extensions.luns().stream())
                .toList();
        for (LunSource source : sources) {
            int lun = units.size();
            try {
                BlockStore store = source.opener().open(threads);
                steps.add(store::close);
                String serial = LogicalUnitConfig.serialFrom(
                        Guid.format(serviceGuid), Integer.toString(lun), source.identity());
                units.put(lun, new LogicalUnit(LogicalUnitConfig.defaults(serial), store));
            } catch (StoreException e) {
                throw new ServiceException("LUN " + lun + ": " + e.getMessage(), e);
            }
        }
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
