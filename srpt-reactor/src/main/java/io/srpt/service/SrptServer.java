package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.reactor.SrptStreams;
import io.srpt.reactor.SrptTargetRuntime;
import io.srpt.roce.packet.PcapWriter;
import io.srpt.scsi.AccessState;
import io.srpt.scsi.AluaGroup;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.store.StoreSpec;
import io.srpt.store.StoreThreads;
import io.srpt.target.ChannelAttributes;
import io.srpt.target.SrptPort;
import io.srpt.target.SrptTarget;
import io.srpt.target.TargetConfig;
import io.srpt.verbs.RdmaDevice;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running target: puts loop, device, disks and target together and takes them apart again in the opposite order.
 *
 * <pre>
 *   ServedDevices ─ RdmaDevice ─ RdmaPort ─┬─ DeviceManagementAgent
 *                                          └─ SrptPort ─ SrptTarget ─ DeviceServer ─ LogicalUnit ─ BlockStore
 * </pre>
 *
 * <p>Threads: any but the loops.
 */
public final class SrptServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SrptServer.class);
    private static final int STORE_THREADS = 4;
    private static final int STORE_QUEUE = 256;
    private static final long DRAIN_LOOK_MILLIS = 10;

    private final long serviceGuid;
    private volatile ServeConfiguration configuration;
    private final ServerExtensions extensions;
    private final Deque<Step> steps = new ArrayDeque<>();
    private @Nullable ServedUnits units;
    private @Nullable RdmaEventLoops loops;
    private @Nullable DeviceServer deviceServer;
    private @Nullable SrptTarget target;
    private @Nullable ServedDevices served;
    private @Nullable ServedGroups groups;
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

    /** Where it can be reached, in the order of the configuration, and of the additions since. */
    public List<ReadyLine> addresses() {
        List<InetAddress> all = started(served).addresses();
        int port = target().config().rdmaCmPort();
        return Stream.concat(
                        configuration.listen().stream().filter(all::contains),
                        all.stream().filter(address -> !configuration.listen().contains(address)))
                .map(address -> new ReadyLine(serviceGuid, address, port))
                .toList();
    }

    // Changes while it runs. Not on a loop.

    /** Serves on another address of this machine: of a device that is there, or on a new one. */
    public void addAddress(InetAddress address) throws ServiceException {
        started(served).add(address, configuration.target());
    }

    /**
     * Serves on an address no more. With the last one of a network interface its initiators are logged out; else their
     * connections end by their time-outs.
     */
    public void removeAddress(InetAddress address) throws ServiceException {
        started(served).remove(address);
    }

    /**
     * Replaces who may log in, and ends the sessions of those who may not any more or see other disks now; completes when they
     * are gone.
     */
    public CompletableFuture<Void> access(AccessPolicy policy) {
        return target().access(policy.control());
    }

    /** Changes what later logins get; whether receives are shared concerns all sessions, which are ended then. */
    public CompletableFuture<Void> attributes(UnaryOperator<ChannelAttributes> change) {
        CompletableFuture<Void> done =
                target().attributes(change.apply(target().config().attributes()));
        started(served).describe();
        return done;
    }

    /** Takes logins on another port number of RDMA/CM; sessions live on. */
    public CompletableFuture<Void> rdmaCmPort(int number) {
        return target().rdmaCmPort(number);
    }

    /** What discovery shows to humans from now on, up to 63 bytes of UTF-8. */
    public void identification(String text) {
        started(served).identification(text);
    }

    /** The target port groups of ALUA, with their states at this moment. */
    public List<AluaGroup> accessGroups() {
        return started(groups).all();
    }

    /** Those of one disk. */
    Map<AluaSettings.Group, AluaGroup> groups(int lun) {
        return started(groups).of(lun);
    }

    /** Has the same target port groups with other addresses and disks, for those that come after this. */
    void groups(AluaSettings settings) {
        started(groups).settings(settings);
    }

    /** Changes the state of the target port groups with a name; initiators learn of it by unit attention. */
    public CompletableFuture<Void> accessState(String group, AccessState state) throws ServiceException {
        return started(groups).change(group, state);
    }

    /** The same for one group, by its place in the configuration. */
    CompletableFuture<Void> accessState(int group, AccessState state) {
        return started(groups).change(group, state);
    }

    /** The target, with its ports: to disable and enable them, and for their groups of access rules. */
    public SrptTarget target() {
        return started(target);
    }

    /** Calls {@code listener} after devices came or went. */
    void onDevicesChanged(Runnable listener) {
        started(served).onChange(listener);
    }

    /** Looks whether addresses of this machine have gone, come back or moved. Belongs to be called now and then. */
    void lookAtAddresses() {
        started(served).lookAtAddresses(configuration.target());
    }

    /** Its event loops. */
    List<RdmaEventLoop> loops() {
        return started(loops).loops();
    }

    /** Its devices. */
    List<RdmaDevice> devices() {
        return started(served).devices();
    }

    /** Its disks by LUN. */
    Map<Integer, LogicalUnit> units() {
        return disks().all();
    }

    /** The same, to change them. */
    ServedUnits disks() {
        return started(units);
    }

    /** What it runs by. */
    ServeConfiguration configuration() {
        return configuration;
    }

    /** What it runs by from now on, when all that differs has been changed. */
    void configuration(ServeConfiguration now) {
        configuration = now;
    }

    /** Where it is served. */
    ServedDevices served() {
        return started(served);
    }

    DeviceServer deviceServer() {
        return started(deviceServer);
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
        checkGroups(devices);
        StoreThreads storeThreads = new StoreThreads("srpt-store", STORE_THREADS, STORE_QUEUE);
        steps.add(storeThreads::close);
        ServedUnits disks = new ServedUnits(storeThreads, serviceGuid, configuration.stateDirectory());
        units = disks;
        steps.add(disks::close);
        openUnits(disks);
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
        DeviceServer server = new DeviceServer(loop);
        deviceServer = server;
        disks.serve(loop, server);
        // Plain IB/CM is not to be had from user space.
        TargetConfig config = configuration
                .target()
                .config(
                        serviceGuid,
                        configuration.rdmaCmPort(),
                        !configuration.runtime().provider().hardware());
        SrptTarget starting =
                new SrptTarget(config, server, configuration.access().control(), streams.targetEvents());
        target = starting;
        ServedGroups made =
                ServedGroups.make(loop, server, units(), configuration.target().alua());
        groups = made;
        starting.onPort(made::join);
        disks.onNewcomer(made::join);
        ServedDevices opening = new ServedDevices(
                new ServedDevice.Site(loop, devices, extras, starting, streams, made, extensions.faults()),
                configuration.target());
        served = opening;
        steps.add(opening::close);
        opening.open(configuration.listen(), configuration.target());
    }

    private void checkGroups(DeviceFactory devices) throws ServiceException {
        try {
            AluaInterfaces.of(configuration, devices).check(null);
        } catch (ConfigurationException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
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

    private void openUnits(ServedUnits disks) throws ServiceException {
        for (LunConfiguration lun : configuration.luns()) {
            disks.keep(lun.lun(), disks.open(lun));
        }
        // Disks of a program have no words of their own: they come behind the others.
        for (LunSource source : extensions.luns()) {
            int lun = disks.nextNumber();
            disks.keep(lun, disks.open(source, LunConfiguration.of(lun, new StoreSpec.Memory(1))));
        }
    }

    /** How to take one thing apart again. */
    @FunctionalInterface
    private interface Step {
        void undo() throws Exception;
    }
}
