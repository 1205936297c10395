package io.srpt.target;

import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.TargetPort;
import io.srpt.srp.PortId;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The target on one port of a device: its listeners, channels and nexuses, and the memory that they share.
 *
 * <p>Threads: what tells of the port may be asked from anywhere; what changes it may be called from anywhere, takes effect on
 * the loop, and its result comes there. Methods that belong to the loop of the port say so.
 */
public final class SrptPort {
    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);
    private static final Logger LOG = LoggerFactory.getLogger(SrptPort.class);

    private final RdmaPort rdmaPort;
    private final TargetConfig config;
    private final DeviceServer deviceServer;
    private final TargetEvents events;
    private final String name;
    private final TargetCounters counters = new TargetCounters();
    private final PortMemory memory;
    private final TaskManager taskManager;
    private final CommandListeners commandListeners = new CommandListeners();
    private @Nullable Interception interception;
    private final DeviceEventListener deviceEvents = this::onDeviceEvent;
    private final PortListeners listeners;
    private final PortGroups groups;
    private final PortChannels channels = new PortChannels(this);
    private final TargetPort targetPort;

    private volatile ChannelAttributes attributes;
    private volatile PortNames names;
    private volatile boolean enabled;
    private @Nullable Runnable whenClosed;
    private boolean closing;

    /**
     * Makes the port, disabled. On its loop; nothing is kept on an exception.
     *
     * @param ports of the target at any moment, all on one loop
     */
    SrptPort(
            RdmaPort rdmaPort,
            TargetConfig config,
            DeviceServer deviceServer,
            AccessControl accessControl,
            TargetEvents events,
            List<SrptPort> ports)
            throws VerbsException {
        assert rdmaPort.loop().inEventLoop();
        this.rdmaPort = rdmaPort;
        this.config = config;
        this.deviceServer = deviceServer;
        this.events = new IsolatedEvents(events, counters);
        taskManager = new TaskManager(this, ports);
        RdmaDevice device = rdmaPort.device();
        name = device.name() + "/" + rdmaPort.number();
        attributes = config.attributes();
        memory = new PortMemory(rdmaPort, config, config.attributes(), counters);
        groups = new PortGroups(accessControl);
        names = PortNames.of(rdmaPort.gids());
        listeners = new PortListeners(rdmaPort.connectionManager(), new LoginHandler(this));
        try {
            listeners.open(config);
        } catch (VerbsException e) {
            memory.close();
            throw e;
        }
        targetPort = deviceServer.targetPorts().add(config.serviceGuid(), config.serviceGuid());
        device.addEventListener(deviceEvents);
        // What changed before is not told again.
        refresh();
    }

    /** Lets logins in from now on. */
    public CompletableFuture<Void> enable() {
        return onLoop(() -> {
            enabled = !closing;
            return NOTHING;
        });
    }

    /** Refuses logins from now on; channels that there are go on. */
    public void refuseLogins() {
        rdmaPort.loop().execute(() -> enabled = false);
    }

    /** Refuses logins from now on and ends all channels; completes when they are gone. */
    public CompletableFuture<Void> disable() {
        return onLoop(() -> {
            enabled = false;
            return channels.end(channels.all(), "the port was disabled");
        });
    }

    /** Takes logins on another port number of RDMA/CM, 0 for none; channels that there are stay. Fails if it is taken. */
    public CompletableFuture<Void> rdmaCmPort(int number) {
        return onLoop(() -> {
            if (!closing) {
                listeners.rdmaCmPort(number);
            }
            return NOTHING;
        });
    }

    // Who may log in.

    /** The groups of access rules, in the order in which they are asked. */
    public List<TargetPortGroup> groups() {
        return groups.all();
    }

    /**
     * Makes a group of access rules behind those that there are ({@code srpt_make_tpg}); fails if the name is taken.
     */
    public CompletableFuture<TargetPortGroup> makeGroup(String groupName, AccessControl access) {
        return CompletableFuture.supplyAsync(() -> groups.make(groupName, access), rdmaPort.loop());
    }

    /** Takes a group away and ends what it let in; the others stay as they are. Completes when that is gone. */
    public CompletableFuture<Void> dropGroup(TargetPortGroup group) {
        return onLoop(() -> {
            groups.drop(group);
            return channels.end(channels.admittedBy(group), "group " + group + " was taken away");
        });
    }

    /** Lets the group let logins in from now on, or refuse them and end what it let in; completes when that is gone. */
    public CompletableFuture<Void> enableGroup(TargetPortGroup group, boolean enable) {
        return onLoop(() -> {
            group.enabled(enable);
            return channels.end(enable ? List.of() : channels.admittedBy(group), "group " + group + " was disabled");
        });
    }

    /**
     * Replaces the rules of a group, and ends the channels whose initiators get nothing by the new ones, or see other units;
     * completes when they are gone ({@code srpt_close_session}).
     */
    public CompletableFuture<Void> access(TargetPortGroup group, AccessControl access) {
        return onLoop(() -> {
            group.access(access);
            List<SrptChannel> without = channels.admittedBy(group).stream()
                    .filter(channel -> !groups.admitsStill(channel, counters))
                    .toList();
            return channels.end(without, "access was withdrawn");
        });
    }

    /**
     * Ends all channels of an initiator port, which may log in again; completes when they are gone, with how many there were
     * ({@code srpt_close_session}).
     */
    public CompletableFuture<Integer> closeSession(PortId initiator) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        rdmaPort.loop().execute(() -> {
            List<SrptChannel> ending = channels.of(initiator);
            channels.end(ending, "the session was closed by the operator")
                    .thenRun(() -> result.complete(ending.size()));
        });
        return result;
    }

    PortGroups portGroups() {
        return groups;
    }

    /** Something on the loop that may take a while. */
    @FunctionalInterface
    private interface Change {
        CompletableFuture<Void> begin() throws VerbsException;
    }

    private CompletableFuture<Void> onLoop(Change change) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        rdmaPort.loop().execute(() -> {
            try {
                change.begin().thenAccept(result::complete);
            } catch (VerbsException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Ends all channels and frees the port; {@code done} runs on the loop when the last channel is released. */
    void close(Runnable done) {
        assert rdmaPort.loop().inEventLoop();
        closing = true;
        enabled = false;
        whenClosed = done;
        rdmaPort.device().removeEventListener(deviceEvents);
        listeners.close();
        channels.end(channels.all(), "the target stops");
        closeIfIdle();
    }

    private void closeIfIdle() {
        Runnable done = whenClosed;
        if (done == null || !channels.isEmpty()) {
            return;
        }
        whenClosed = null;
        deviceServer.targetPorts().remove(targetPort);
        memory.close();
        done.run();
    }

    private void onDeviceEvent(RdmaDevice device, DeviceEventListener.Event event, int port) {
        if (port != rdmaPort.number()) {
            return;
        }
        LOG.debug("{}: {}", name, event);
        switch (event) {
            case PORT_ACTIVE, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE -> refresh();
            default -> {
                // Channels end by their own timers if the port does not come back.
            }
        }
    }

    /** Looks at the addresses again ({@code srpt_refresh_port}): as often as one likes. */
    private void refresh() {
        PortNames now = PortNames.of(rdmaPort.gids());
        if (!now.equals(names)) {
            LOG.info("{} is {} now, was {}", name, now.gid(), names.gid());
            names = now;
        }
    }

    // Channels.

    void onLogin(SrptChannel channel) {
        channels.add(channel);
        counters.loginsAccepted.increment();
        events.onLogin(channel.info());
    }

    void onChannelState(SrptChannel channel, ChannelState before) {
        channels.onChange();
        events.onChannelState(channel.info(), before);
    }

    void onChannelReleased(SrptChannel channel, ChannelEnd cause) {
        channels.remove(channel);
        events.onChannelReleased(channel.info(), cause);
        channels.onReleased(channel);
        closeIfIdle();
    }

    PortChannels portChannels() {
        return channels;
    }

    // Attributes.

    /** What channels of later logins have. Any thread. */
    public ChannelAttributes attributes() {
        return attributes;
    }

    /**
     * Changes what channels of later logins have. Whether receives are shared concerns all channels: a change of that ends
     * those that there are, and their initiators log in again; completes when they are gone. Any thread; the result comes on the loop, and fails with a
     * {@link VerbsException} if the device has no resources; then nothing has changed.
     */
    public CompletableFuture<Void> attributes(ChannelAttributes changed) {
        return onLoop(() -> closing ? NOTHING : change(changed));
    }

    private CompletableFuture<Void> change(ChannelAttributes changed) throws VerbsException {
        boolean otherReceives = changed.sharedReceives() != attributes.sharedReceives();
        memory.attributes(changed);
        attributes = changed;
        return channels.end(
                otherReceives ? channels.all() : List.of(),
                "receives are " + (changed.sharedReceives() ? "shared" : "each channel's own") + " from now on");
    }

    // What it is.

    /** The device's port. */
    public RdmaPort rdmaPort() {
        return rdmaPort;
    }

    /** The same port as SCSI knows it. */
    public TargetPort targetPort() {
        return targetPort;
    }

    /** Device and port number, such as {@code srpt0/1}. */
    public String name() {
        return name;
    }

    /** The low half of GID 0, such as {@code 5054:00ff:fe5a:0114}. */
    public String guidName() {
        return names.guid();
    }

    /** GID 0, {@code 0x} and 32 hexadecimal digits. */
    public String gidName() {
        return names.gid();
    }

    /** Whether {@code other} is one of its names, in the exact spelling. */
    boolean isCalled(String other) {
        return other.equals(name) || names.contains(other);
    }

    /** Whether logins are let in. */
    public boolean isEnabled() {
        return enabled;
    }

    /** The channels as they were a moment ago. */
    public List<ChannelInfo> channels() {
        return channels.snapshot();
    }

    /** What the port counted. */
    public TargetCounters counters() {
        return counters;
    }

    /** Tells {@code listener} of every command that begins from now on, when it ends. On the loop. */
    public void addCommandListener(CommandListener listener) {
        assert rdmaPort.loop().inEventLoop();
        commandListeners.add(listener);
    }

    /** Stops telling {@code listener}. On the loop. */
    public void removeCommandListener(CommandListener listener) {
        assert rdmaPort.loop().inEventLoop();
        commandListeners.remove(listener);
    }

    /**
     * Asks {@code interceptor} about every command that comes from now on, null for nobody. Commands that are held stay held.
     * On the loop.
     */
    public void commandInterceptor(@Nullable CommandInterceptor interceptor) {
        assert rdmaPort.loop().inEventLoop();
        interception = interceptor == null ? null : new Interception(name, counters, interceptor);
    }

    @Nullable
    Interception interception() {
        return interception;
    }

    CommandListeners commandListeners() {
        return commandListeners;
    }

    TargetConfig config() {
        return config;
    }

    /** The sizes of the next channel. */
    ChannelLimits limits() {
        return memory.limits();
    }

    PortMemory memory() {
        return memory;
    }

    DeviceServer deviceServer() {
        return deviceServer;
    }

    TargetEvents events() {
        return events;
    }

    DataBufferPool dataBuffers() {
        return memory.dataBuffers();
    }

    TaskManager taskManager() {
        return taskManager;
    }
}
