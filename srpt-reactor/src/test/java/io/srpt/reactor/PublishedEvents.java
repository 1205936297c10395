package io.srpt.reactor;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadReceiveHandler;
import io.srpt.mad.MadService;
import io.srpt.mad.dm.DeviceManagement;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.reactor.event.ChannelStateChanged;
import io.srpt.reactor.event.CommandCompleted;
import io.srpt.reactor.event.LoginAccepted;
import io.srpt.reactor.event.LoopStalled;
import io.srpt.reactor.event.MadSent;
import io.srpt.reactor.event.PortIncident;
import io.srpt.reactor.event.SrptEvent;
import io.srpt.reactor.event.TaskManagementDone;
import io.srpt.reactor.event.TransportIncident;
import io.srpt.scsi.DataDirection;
import io.srpt.srp.PortId;
import io.srpt.target.ChannelCounters;
import io.srpt.target.ChannelInfo;
import io.srpt.target.ChannelState;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.TransportEventListener;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A runtime with one port on a real loop, and something to publish on every stream. */
final class PublishedEvents implements AutoCloseable {
    static final String PORT = "test/1";
    /** More than a test wants to see at once. */
    static final int BUFFERS = 256;

    private static final int SEND_CLASS = 0x32;
    private static final long GUID = 0x5054_00FF_FE12_3456L;

    private final RdmaEventLoops loops = new RdmaEventLoops(1, "events", Duration.ZERO);
    private final RdmaEventLoop loop = loops.loops().getFirst();
    private final FakeMadTransport transport = new FakeMadTransport(BUFFERS);
    private final MadService service = new MadService(PORT, loop, transport);
    private final SrptTargetRuntime runtime = SrptTargetRuntime.builder().build();
    private final MadAgent sender;

    PublishedEvents() {
        sender = CompletableFuture.supplyAsync(this::start, loop).join();
    }

    private MadAgent start() {
        try {
            service.start();
            DeviceManagementAgent agent = new DeviceManagementAgent(
                    service, IoControllerDescription.of(GUID, new DeviceAttributes(GUID, 0, 0, 0, 1, 1, 1, 1, 15)));
            runtime.addMads(service, agent);
            return service.register(SEND_CLASS, 1, MadReceiveHandler.IGNORE);
        } catch (VerbsException e) {
            throw new IllegalStateException(e);
        }
    }

    SrptTargetRuntime runtime() {
        return runtime;
    }

    MadPortStreams madPort() {
        return runtime.madPorts().getFirst();
    }

    MadService service() {
        return service;
    }

    RdmaEventLoop loop() {
        return loop;
    }

    /** Publishes {@code count} elements on each stream, soon, after what was subscribed so far. */
    void publish(int count) {
        loop.execute(() -> {
            for (int i = 0; i < count; i++) {
                publishEvents();
                publishMads();
            }
        });
    }

    private void publishEvents() {
        ChannelInfo channel = channel();
        emit(EventKind.CHANNEL, new ChannelStateChanged(channel, ChannelState.CONNECTING));
        emit(EventKind.LOGIN, new LoginAccepted(channel));
        emit(
                EventKind.COMMAND,
                new CommandCompleted(PORT, 1, channel.initiatorPort(), 0, 0x28, DataDirection.IN, 512, 0, 0, 0, 1000));
        emit(EventKind.TASK_MANAGEMENT, new TaskManagementDone(channel, 1, 0, 7, 0));
        emit(EventKind.PORT, new PortIncident("test", PORT, DeviceEventListener.Event.PORT_ACTIVE));
        emit(EventKind.TRANSPORT, new TransportIncident(PORT, TransportEventListener.Kind.RETRANSMISSION, 17, 4711));
        emit(EventKind.STALL, new LoopStalled(loop.name(), "task", Duration.ofMillis(150), true));
        emit(
                EventKind.MAD,
                new MadSent(PORT, WorkCompletionStatus.SUCCESS, 0, SEND_CLASS, MadHeader.METHOD_SEND, 0x10, 1));
    }

    private void emit(EventKind kind, SrptEvent event) {
        runtime.eventStreams().of(kind).emit(event);
    }

    private void publishMads() {
        MadBuffer buffer = sender.allocate();
        if (buffer != null) {
            sender.send(buffer, MadAddress.generalServices(0, FakeMadTransport.PEER));
            transport.completeNext(WorkCompletionStatus.SUCCESS);
        }
        transport.receive(
                DeviceManagement.CLASS,
                DeviceManagement.CLASS_VERSION,
                MadHeader.METHOD_GET,
                DeviceManagement.ATTRIBUTE_IO_UNIT_INFO,
                1);
    }

    private static ChannelInfo channel() {
        return new ChannelInfo(
                1,
                PORT,
                new PortId(1, 2),
                InetAddress.getLoopbackAddress(),
                "every initiator",
                17,
                ChannelState.LIVE,
                false,
                2000,
                new ChannelCounters());
    }

    @Override
    public void close() {
        CompletableFuture.runAsync(service::close, loop).join();
        runtime.close();
        loops.close();
    }
}
