package io.srpt.target;

import io.srpt.scsi.DeviceServer;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An SRP target: one identity and one device server, offered on any number of ports.
 *
 * <pre>{@code
 *   SrptTarget target = new SrptTarget(TargetConfig.builder(guid).rdmaCmPort(5555).build(),
 *           deviceServer, AccessControl.any(), events);
 *   target.addPort(device.ports().getFirst()).thenAccept(SrptPort::enable);
 *   …
 *   target.close().orTimeout(10, TimeUnit.SECONDS).join();
 * }</pre>
 *
 * <p>Threads: any. All ports must run on the loop of the device server.
 */
public final class SrptTarget {
    private volatile TargetConfig config;
    private final DeviceServer deviceServer;
    private volatile AccessControl accessControl;
    private final TargetEvents events;
    private final List<SrptPort> ports = new CopyOnWriteArrayList<>();
    private volatile Consumer<SrptPort> portListener = port -> {};
    private final AtomicReference<@Nullable RdmaLoop> loop = new AtomicReference<>();

    public SrptTarget(
            TargetConfig config, DeviceServer deviceServer, AccessControl accessControl, TargetEvents events) {
        this.config = config;
        this.deviceServer = deviceServer;
        this.accessControl = accessControl;
        this.events = events;
    }

    /** Calls {@code listener} on the loop with each port that is added from now on, before it can be enabled. */
    public void onPort(Consumer<SrptPort> listener) {
        portListener = listener;
    }

    /**
     * Offers the target on {@code port}, disabled: logins are refused until {@link SrptPort#enable()}. The result fails with
     * a {@link VerbsException} if the port can't listen or has no resources; nothing is left behind then.
     *
     * @throws IllegalArgumentException if the port runs on another loop than the ports added before
     */
    public CompletableFuture<SrptPort> addPort(RdmaPort port) {
        loop.compareAndSet(null, port.loop());
        if (loop.get() != port.loop()) {
            throw new IllegalArgumentException("all ports of a target run on the loop of its device server");
        }
        CompletableFuture<SrptPort> result = new CompletableFuture<>();
        port.loop().execute(() -> {
            try {
                SrptPort added = new SrptPort(port, config, deviceServer, accessControl, events, ports);
                ports.add(added);
                portListener.accept(added);
                result.complete(added);
            } catch (VerbsException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /**
     * Withdraws the target from {@code port}: no more logins, channels are ended. The result completes when the last channel is
     * released, which needs the store to end what it works on: give it a timeout.
     */
    public CompletableFuture<Void> removePort(SrptPort port) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        if (!ports.remove(port)) {
            result.complete(null);
            return result;
        }
        port.rdmaPort().loop().execute(() -> port.close(() -> result.complete(null)));
        return result;
    }

    /** {@link #removePort} for all ports. The device server and the devices stay the caller's. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(ports.stream().map(this::removePort).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Replaces who may log in, on all ports and on those that come, and ends the channels of those who may not any more or see
     * other units; completes when these are gone. Groups that were made beside a port's first one stay as they are.
     */
    public CompletableFuture<Void> access(AccessControl access) {
        accessControl = access;
        return CompletableFuture.allOf(ports.stream()
                .flatMap(port -> port.groups().stream()
                        .filter(group -> group.name().equals(TargetPortGroup.DEFAULT_NAME))
                        .map(group -> port.access(group, access)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Takes logins on another port number of RDMA/CM, 0 for none, on all ports and on those that come; sessions live on
     * ({@code rdma_cm_port} of the Linux driver).
     */
    public CompletableFuture<Void> rdmaCmPort(int number) {
        config = config.toBuilder().rdmaCmPort(number).build();
        return onAllPorts(port -> port.rdmaCmPort(number));
    }

    /** Changes what channels of later logins have, on all ports and on those that come; see {@link SrptPort#attributes}. */
    public CompletableFuture<Void> attributes(ChannelAttributes attributes) {
        config = config.toBuilder().attributes(attributes).build();
        return onAllPorts(port -> port.attributes(attributes));
    }

    private CompletableFuture<Void> onAllPorts(Function<SrptPort, CompletableFuture<Void>> change) {
        return CompletableFuture.allOf(ports.stream().map(change).toArray(CompletableFuture<?>[]::new));
    }

    /** The port with this name: its own, its GUID form or its GID form, in the exact spelling ({@code srpt_lookup_port}). */
    public Optional<SrptPort> port(String name) {
        return ports.stream().filter(port -> port.isCalled(name)).findFirst();
    }

    /** What it was made with, and what has changed since. */
    public TargetConfig config() {
        return config;
    }

    /** The ports at this moment. */
    public List<SrptPort> ports() {
        return List.copyOf(ports);
    }
}
