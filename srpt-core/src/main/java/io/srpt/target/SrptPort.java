package io.srpt.target;

import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.Sense;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The target on one port of a device: its listeners, channels and nexuses, and the memory that they share.
 *
 * <p>Threads: {@link #channels()}, {@link #counters()}, {@link #name()}, {@link #guidName()}, {@link #gidName()},
 * {@link #isEnabled()} and {@link #rdmaPort()} from anywhere; {@link #enable()}, {@link #refuseLogins()} and {@link #disable()} from anywhere, they
 * take effect on the loop. All else belongs to the loop of the port.
 */
public final class SrptPort {
    private static final Logger LOG = LoggerFactory.getLogger(SrptPort.class);
    private final RdmaPort rdmaPort;
    private final TargetConfig config;
    private final DeviceServer deviceServer;
    private final TargetEvents events;
    private final String name;
    private final TargetCounters counters = new TargetCounters();
    private final PortMemory memory;
    private final LoginHandler loginHandler;
    private final TaskManager taskManager = new TaskManager(this);
    private final CommandListeners commandListeners = new CommandListeners();
    private @Nullable Interception interception;
    private final DeviceEventListener deviceEvents = this::onDeviceEvent;
    private final List<ConnectionManager.Listener> listeners = new ArrayList<>();
    private final List<SrptChannel> channels = new ArrayList<>();
    private final Map<Nexus.Key, Nexus> nexuses = new HashMap<>();

    private volatile ChannelAttributes attributes;
    private volatile List<ChannelInfo> snapshot = List.of();
    private volatile String guidName = "";
    private volatile String gidName = "";
    private volatile boolean enabled;
    private @Nullable Runnable whenClosed;
    private boolean closing;

    /** Makes the port, disabled. On its loop; nothing is kept on an exception. */
    SrptPort(
            RdmaPort rdmaPort,
            TargetConfig config,
            DeviceServer deviceServer,
            AccessControl accessControl,
            TargetEvents events)
            throws VerbsException {
        assert rdmaPort.loop().inEventLoop();
        this.rdmaPort = rdmaPort;
        this.config = config;
        this.deviceServer = deviceServer;
        this.events = new IsolatedEvents(events, counters);
        RdmaDevice device = rdmaPort.device();
        name = device.name() + "/" + rdmaPort.number();
        attributes = config.attributes();
        memory = new PortMemory(rdmaPort, config, config.attributes(), counters);
        loginHandler = new LoginHandler(this, accessControl);
        refreshNames();
        try {
            listen();
        } catch (VerbsException e) {
            closeListeners();
            memory.close();
            throw e;
        }
        device.addEventListener(deviceEvents);
    }

    private void listen() throws VerbsException {
        ConnectionManager manager = rdmaPort.connectionManager();
        if (config.rdmaCmPort() != 0) {
            listeners.add(manager.listen(ConnectionManager.rdmaCmServiceId(config.rdmaCmPort()), loginHandler));
        }
        if (config.ibCm()) {
            listeners.add(manager.listen(config.serviceGuid(), loginHandler));
        }
    }

    private void closeListeners() {
        listeners.forEach(ConnectionManager.Listener::close);
        listeners.clear();
    }

    /** Lets logins in from now on. */
    public void enable() {
        rdmaPort.loop().execute(() -> enabled = !closing);
    }

    /** Refuses logins from now on; channels that there are go on. */
    public void refuseLogins() {
        rdmaPort.loop().execute(() -> enabled = false);
    }

    /** Refuses logins from now on and ends all channels. */
    public void disable() {
        rdmaPort.loop().execute(() -> {
            enabled = false;
            endAll("the port was disabled");
        });
    }

    private void endAll(String detail) {
        for (SrptChannel channel : List.copyOf(channels)) {
            channel.end(ChannelEnd.DISABLED, detail);
        }
    }

    /** Ends all channels and frees the port; {@code done} runs on the loop when the last channel is released. */
    void close(Runnable done) {
        assert rdmaPort.loop().inEventLoop();
        closing = true;
        enabled = false;
        whenClosed = done;
        rdmaPort.device().removeEventListener(deviceEvents);
        closeListeners();
        endAll("the target stops");
        closeIfIdle();
    }

    private void closeIfIdle() {
        Runnable done = whenClosed;
        if (done == null || !channels.isEmpty()) {
            return;
        }
        whenClosed = null;
        memory.close();
        done.run();
    }

    private void onDeviceEvent(RdmaDevice device, DeviceEventListener.Event event, int port) {
        if (port != rdmaPort.number()) {
            return;
        }
        LOG.debug("{}: {}", name, event);
        switch (event) {
            case PORT_ACTIVE, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE -> refreshNames();
            default -> {
                // Channels end by their own timers if the port does not come back.
            }
        }
    }

    private void refreshNames() {
        List<Gid> gids = rdmaPort.gids();
        Gid gid = gids.isEmpty() ? Gid.ZERO : gids.getFirst();
        HexFormat hex = HexFormat.of();
        String low = hex.toHexDigits(gid.low());
        guidName =
                low.substring(0, 4) + ":" + low.substring(4, 8) + ":" + low.substring(8, 12) + ":" + low.substring(12);
        gidName = "0x" + hex.toHexDigits(gid.high()) + low;
    }

    // Channels.

    void onLogin(SrptChannel channel) {
        channels.add(channel);
        counters.loginsAccepted.increment();
        updateSnapshot();
        events.onLogin(channel.info());
    }

    void onChannelState(SrptChannel channel, ChannelState before) {
        updateSnapshot();
        events.onChannelState(channel.info(), before);
    }

    void onChannelReleased(SrptChannel channel, ChannelEnd cause) {
        channels.remove(channel);
        updateSnapshot();
        events.onChannelReleased(channel.info(), cause);
        closeIfIdle();
    }

    private void updateSnapshot() {
        snapshot = channels.stream().map(SrptChannel::info).toList();
    }

    /** The nexus with this key, made if there is none. */
    Nexus nexus(Nexus.Key key) {
        Nexus nexus = nexuses.get(key);
        if (nexus == null) {
            nexus = new Nexus(this, key, deviceServer);
            nexuses.put(key, nexus);
            counters.nexusesInUse.increment();
        }
        return nexus;
    }

    void onNexusLost(Nexus nexus) {
        nexuses.remove(nexus.key());
        counters.nexusesInUse.decrement();
    }

    /** Ends the commands of {@code lun} that a fault holds, without response: of one nexus, or of all if that is null. */
    void abortHeld(@Nullable Nexus nexus, int lun) {
        for (SrptChannel channel : channels) {
            if (nexus == null || channel.isOf(nexus)) {
                channel.dispatcher().abortHeld(lun);
            }
        }
    }

    /**
     * Tells the initiator of every nexus of an event of a unit by SRP_AER_REQ, on one of its channels, if the configuration
     * says so. On the loop.
     *
     * @param lun the eight raw bytes of the LUN
     */
    public void reportEvent(long lun, Sense event) {
        assert rdmaPort.loop().inEventLoop();
        if (!config.asyncEvents()) {
            return;
        }
        for (Nexus nexus : nexuses.values()) {
            SrptChannel channel = nexus.firstLive();
            if (channel != null) {
                channel.requests().asyncEvent(lun, event);
            }
        }
    }

    // Attributes.

    /** What channels of later logins have. Any thread. */
    public ChannelAttributes attributes() {
        return attributes;
    }

    /**
     * Changes what channels of later logins have. Whether receives are shared concerns all channels: a change of that ends
     * those that there are, and their initiators log in again. Any thread; the result comes on the loop, and fails with a
     * {@link VerbsException} if the device has no resources; then nothing has changed.
     */
    public CompletableFuture<Void> attributes(ChannelAttributes changed) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        rdmaPort.loop().execute(() -> {
            try {
                if (!closing) {
                    change(changed);
                }
                result.complete(null);
            } catch (VerbsException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private void change(ChannelAttributes changed) throws VerbsException {
        boolean otherReceives = changed.sharedReceives() != attributes.sharedReceives();
        memory.attributes(changed);
        attributes = changed;
        if (otherReceives) {
            endAll("receives are " + (changed.sharedReceives() ? "shared" : "each channel's own") + " from now on");
        }
    }

    // What it is.

    /** The device's port. */
    public RdmaPort rdmaPort() {
        return rdmaPort;
    }

    /** Device and port number, such as {@code srpt0/1}. */
    public String name() {
        return name;
    }

    /** The low half of GID 0, such as {@code 5054:00ff:fe5a:0114}. */
    public String guidName() {
        return guidName;
    }

    /** GID 0, {@code 0x} and 32 hexadecimal digits. */
    public String gidName() {
        return gidName;
    }

    /** Whether logins are let in. */
    public boolean isEnabled() {
        return enabled;
    }

    /** The channels as they were a moment ago. */
    public List<ChannelInfo> channels() {
        return snapshot;
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
