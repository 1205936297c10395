package io.srpt.reactor;

import io.srpt.loop.RdmaEventLoops;
import io.srpt.mad.MadPort;
import io.srpt.mad.MadReceiveHandler;
import io.srpt.mad.MadSendHandler;
import io.srpt.mad.MadService;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.reactor.event.ConnectionIncident;
import io.srpt.reactor.event.LoopStalled;
import io.srpt.reactor.event.PortIncident;
import io.srpt.reactor.event.QueuePairIncident;
import io.srpt.reactor.event.SrptEvent;
import io.srpt.reactor.event.TransportIncident;
import io.srpt.reactor.jfr.JfrEvents;
import io.srpt.target.SrptPort;
import io.srpt.target.TargetEvents;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.TransportEventListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/**
 * Puts streams and handlers onto the loops, devices and ports of a target.
 *
 * <pre>{@code
 *   SrptTargetRuntime runtime = SrptTargetRuntime.builder().targetEvents(log).build();
 *   runtime.watch(loops);
 *   runtime.addDevice(device);
 *   SrptTarget target = new SrptTarget(config, deviceServer, access, runtime.targetEvents());
 *   SrptPort port = target.addPort(rdmaPort).join();
 *   runtime.addPort(port, deviceManagementAgent).join();   // before port.enable()
 *   runtime.streams().loginEvents().subscribe(...);
 *   …
 *   target.close(); device.close(); runtime.close(); loops.close();
 * }</pre>
 *
 * <p>Threads: any.
 */
public final class SrptTargetRuntime implements AutoCloseable {
    private final Builder settings;
    private final HandlerErrors errors = new HandlerErrors();
    private final EventStreams events;
    private final TargetTap targetTap;
    private final Disposable eventHandlers;
    private final List<CommandTap> commandTaps = new CopyOnWriteArrayList<>();
    private final List<MadPortStreams> madPorts = new CopyOnWriteArrayList<>();
    /** Who has asked for the ports, those that come later included. */
    private final List<FluxSink<MadPortStreams>> madPortSinks = new ArrayList<>();

    /** By what was added: how to leave it. */
    private final Map<Object, Undo> undo = new ConcurrentHashMap<>();

    private final SrptStreams streams;

    /** On its loop, or anywhere if that is null. */
    private record Undo(@Nullable RdmaLoop loop, Runnable action) {
        void begin() {
            if (loop == null) {
                action.run();
            } else {
                loop.execute(action);
            }
        }
    }

    private SrptTargetRuntime(Builder settings) {
        this.settings = settings;
        events = new EventStreams(settings.observerBuffer, settings.observerExecutor, errors);
        targetTap = new TargetTap(events, settings.targetEvents, errors);
        events.of(EventKind.COMMAND).hooks(this::updateCommandTaps, this::updateCommandTaps);
        Flux<MadPortStreams> ports = Flux.create(this::tellMadPorts);
        streams = new StreamSet(
                events,
                event -> true,
                ports.flatMap(MadPortStreams::sendCompletions, Integer.MAX_VALUE),
                ports.flatMap(MadPortStreams::receives, Integer.MAX_VALUE));
        eventHandlers = settings.eventHandlers.subscribe(streams, errors);
    }

    /** One with the handlers of the house. */
    public static Builder builder() {
        return new Builder();
    }

    /** What the target must be made with. */
    public TargetEvents targetEvents() {
        return targetTap;
    }

    /** Reports stalls of these loops. */
    public void watch(RdmaEventLoops loops) {
        io.srpt.loop.StallListener listener = this::onStall;
        loops.addStallListener(listener);
        undo.put(loops, new Undo(null, () -> loops.removeStallListener(listener)));
    }

    /** Publishes events of the device, its ports and its transport. */
    public CompletableFuture<Void> addDevice(RdmaDevice device) {
        DeviceEventListener listener = this::onDeviceEvent;
        TransportEventListener transportListener = this::onTransportEvent;
        device.addEventListener(listener);
        RdmaLoop loop = device.ports().getFirst().loop();
        undo.put(device, new Undo(loop, () -> {
            device.removeEventListener(listener);
            device.transportListener(null);
        }));
        return onLoop(loop, () -> device.transportListener(transportListener));
    }

    /** Publishes nothing of the device any more. */
    public CompletableFuture<Void> removeDevice(RdmaDevice device) {
        return onLoop(device.ports().getFirst().loop(), () -> undo(device));
    }

    private void undo(Object what) {
        Undo undoing = undo.remove(what);
        if (undoing != null) {
            undoing.action().run();
        }
    }

    /**
     * Publishes the port's commands and, if it has management datagrams, those; {@code deviceManagement} answers them as
     * long as no one else subscribes to {@link SrptStreams#madReceives()}. Before the port is enabled.
     */
    public CompletableFuture<Void> addPort(SrptPort port, @Nullable DeviceManagementAgent deviceManagement) {
        return onLoop(port.rdmaPort().loop(), () -> {
            CommandTap tap = new CommandTap(port, events.of(EventKind.COMMAND), settings.slowCommand.toNanos());
            commandTaps.add(tap);
            undo.put(port, new Undo(tap.loop(), () -> {
                commandTaps.remove(tap);
                tap.stop();
            }));
            tap.update();
            if (port.rdmaPort() instanceof MadPort madPort) {
                addMads(madPort.mads(), deviceManagement);
            }
        });
    }

    /** Publishes nothing of the port any more; its owning streams end. */
    public CompletableFuture<Void> removePort(SrptPort port) {
        return onLoop(port.rdmaPort().loop(), () -> {
            undo(port);
            if (port.rdmaPort() instanceof MadPort madPort) {
                undo(madPort.mads());
            }
        });
    }

    /** The management datagrams' part of {@link #addPort}. On the loop. */
    void addMads(MadService service, @Nullable DeviceManagementAgent deviceManagement) {
        MadPortStreams mads = new MadPortStreams(
                service, events.of(EventKind.MAD), new MadSendSubscriber(settings.madSendHandler, errors), errors);
        if (deviceManagement != null) {
            MadReceiveHandler direct = (agent, mad) -> deviceManagement.onMadReceived(mad);
            MadReceiveHandler handler = settings.madReceiveHandler.apply(direct);
            mads.serve(deviceManagement.agent(), new MadReceiveSubscriber(handler, errors), direct);
        }
        undo.put(service, new Undo(service.loop(), () -> {
            madPorts.remove(mads);
            mads.close();
        }));
        synchronized (madPortSinks) {
            madPorts.add(mads);
            madPortSinks.forEach(sink -> sink.next(mads));
        }
    }

    private void tellMadPorts(FluxSink<MadPortStreams> sink) {
        synchronized (madPortSinks) {
            madPorts.forEach(sink::next);
            madPortSinks.add(sink);
        }
        sink.onDispose(() -> {
            synchronized (madPortSinks) {
                madPortSinks.remove(sink);
            }
        });
    }

    /** The streams of the whole target. */
    public SrptStreams streams() {
        return streams;
    }

    /**
     * The streams of one port. Its owning streams are empty if it has no management datagrams.
     *
     * @param port the port's name, such as {@code roce-eth0/1}
     */
    public SrptStreams streams(String port) {
        MadPortStreams mads = madPorts.stream()
                .filter(each -> each.port().equals(port))
                .findFirst()
                .orElse(null);
        String loop = mads == null ? "" : mads.service().loop().name();
        return new StreamSet(
                events,
                event -> isOf(event, port, loop),
                mads == null ? Flux.empty() : mads.sendCompletions(),
                mads == null ? Flux.empty() : mads.receives());
    }

    private static boolean isOf(SrptEvent event, String port, String loop) {
        if (event instanceof LoopStalled stall) {
            return stall.loop().equals(loop);
        }
        if (event instanceof PortIncident incident && incident.port().isEmpty()) {
            return port.startsWith(incident.device() + "/");
        }
        return event.port().equals(port);
    }

    /** Observers, and what they missed. */
    public EventStreams eventStreams() {
        return events;
    }

    /** What handlers threw. */
    public HandlerErrors handlerErrors() {
        return errors;
    }

    /** The ports with management datagrams, with the counters of their streams. */
    public List<MadPortStreams> madPorts() {
        return List.copyOf(madPorts);
    }

    /** Ends all streams. What owners of management datagrams still hold is released. */
    @Override
    public void close() {
        undo.values().forEach(Undo::begin);
        undo.clear();
        synchronized (madPortSinks) {
            List.copyOf(madPortSinks).forEach(FluxSink::complete);
        }
        events.close();
        eventHandlers.dispose();
    }

    private void updateCommandTaps() {
        for (CommandTap tap : commandTaps) {
            tap.loop().execute(tap::update);
        }
    }

    private void onStall(String loop, String handler, long nanos, boolean over) {
        JfrEvents.loopStall(loop, handler, nanos, over);
        EventStream stream = events.of(EventKind.STALL);
        if (stream.isObserved()) {
            stream.emit(new LoopStalled(loop, handler, Duration.ofNanos(nanos), over));
        }
    }

    private void onDeviceEvent(RdmaDevice device, DeviceEventListener.Event event, int port) {
        EventStream stream = events.of(EventKind.PORT);
        if (stream.isObserved()) {
            String name = port == 0 ? SrptEvent.NO_PORT : device.name() + "/" + port;
            stream.emit(new PortIncident(device.name(), name, event));
        }
    }

    private void onTransportEvent(RdmaPort port, TransportEventListener.Kind kind, int queuePair, long detail) {
        EventStream stream = events.of(EventKind.TRANSPORT);
        if (stream.isObserved()) {
            String name = port.device().name() + "/" + port.number();
            stream.emit(new TransportIncident(name, kind, queuePair, detail));
        }
    }

    private static CompletableFuture<Void> onLoop(RdmaLoop loop, Runnable action) {
        return CompletableFuture.runAsync(action, loop);
    }

    /** The settings and handlers of a runtime. */
    public static final class Builder {
        private static final int DEFAULT_OBSERVER_BUFFER = 256;

        private final List<TargetEvents> targetEvents = new ArrayList<>();
        private int observerBuffer = DEFAULT_OBSERVER_BUFFER;
        private Executor observerExecutor = Thread::startVirtualThread;
        private Duration slowCommand = Duration.ZERO;
        private MadSendHandler madSendHandler = (agent, completion) -> completion.release();
        private UnaryOperator<MadReceiveHandler> madReceiveHandler = handler -> handler;
        private EventHandlers eventHandlers = EventHandlers.LOGGING;

        private Builder() {}

        /** Events that each observer's buffer holds; 256 unless set. */
        public Builder observerBuffer(int length) {
            if (length < 1) {
                throw new IllegalArgumentException("an observer buffer of " + length);
            }
            observerBuffer = length;
            return this;
        }

        /** Where observers are called; a virtual thread each time unless set. One observer is called once at a time. */
        public Builder observerExecutor(Executor executor) {
            observerExecutor = executor;
            return this;
        }

        /** Commands that take as long are written to the flight recorder; zero, the default, is none. */
        public Builder slowCommand(Duration threshold) {
            slowCommand = threshold;
            return this;
        }

        /** Another one who is told what happens to the target, on the port's loop. May be called several times. */
        public Builder targetEvents(TargetEvents events) {
            targetEvents.add(events);
            return this;
        }

        /** Takes the place of the release of management sends; it must release each. */
        public Builder madSendHandler(MadSendHandler handler) {
            madSendHandler = handler;
            return this;
        }

        /**
         * Makes the handler of received management datagrams out of the one of the house, which answers and releases. The new one
         * must hand on or release each: to hand on later delays the reply, to release only drops it.
         */
        public Builder madReceiveHandler(UnaryOperator<MadReceiveHandler> decorator) {
            madReceiveHandler = decorator;
            return this;
        }

        /** Takes the place of the log line for events of devices and ports. */
        public Builder portEventHandler(Consumer<PortIncident> handler) {
            eventHandlers = eventHandlers.withPort(handler);
            return this;
        }

        /** Takes the place of the log line for events of shared receive queues. */
        public Builder sharedReceiveQueueHandler(Consumer<PortIncident> handler) {
            eventHandlers = eventHandlers.withSharedReceiveQueue(handler);
            return this;
        }

        /** Takes the place of the log line for events of queue pairs. */
        public Builder queuePairHandler(Consumer<QueuePairIncident> handler) {
            eventHandlers = eventHandlers.withQueuePair(handler);
            return this;
        }

        /** Takes the place of the log line for events of connections. */
        public Builder connectionHandler(Consumer<ConnectionIncident> handler) {
            eventHandlers = eventHandlers.withConnection(handler);
            return this;
        }

        public SrptTargetRuntime build() {
            return new SrptTargetRuntime(this);
        }
    }
}
