package io.srpt.service;

import io.srpt.loop.LoopCounters;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.scsi.AluaGroup;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitCounters;
import io.srpt.scsi.NexusId;
import io.srpt.scsi.OperationKind;
import io.srpt.scsi.ReservationState;
import io.srpt.scsi.ReservationType;
import io.srpt.service.http.StatusSource;
import io.srpt.target.ChannelInfo;
import io.srpt.target.SrptPort;
import io.srpt.target.TargetCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code /api/v1/} tells of a server. Any thread. */
final class StatusDocuments implements StatusSource {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<String, Function<SrptServer, List<Map<String, Object>>>> documents = Map.of(
            "ports", StatusDocuments::ports,
            "sessions", StatusDocuments::sessions,
            "channels", StatusDocuments::channels,
            "luns", StatusDocuments::luns,
            "loops", StatusDocuments::loops);
    private volatile @Nullable SrptServer server;

    /** There is something to tell from now on. */
    void server(SrptServer started) {
        server = started;
    }

    @Override
    public Set<String> names() {
        return documents.keySet();
    }

    @Override
    public @Nullable Map<String, Object> document(String name) {
        SrptServer telling = server;
        Function<SrptServer, List<Map<String, Object>>> document = documents.get(name);
        return telling == null || document == null ? null : Map.of(name, document.apply(telling));
    }

    private static List<Map<String, Object>> ports(SrptServer server) {
        return server.target().ports().stream().map(StatusDocuments::port).toList();
    }

    private static Map<String, Object> port(SrptPort port) {
        TargetCounters counters = port.counters();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", port.name());
        object.put("gid", port.rdmaPort().gids().stream().map(Object::toString).toList());
        object.put("enabled", port.isEnabled());
        object.put("channels", port.channels().size());
        object.put("sessions", counters.nexusesInUse.get());
        object.put("logins", counters.loginsAccepted.get());
        object.put("commands", counters.commands.get());
        object.put("commands_inflight", counters.commandsInUse.get());
        return object;
    }

    /** Channels of one initiator on one port are one session. */
    private static List<Map<String, Object>> sessions(SrptServer server) {
        return channelsOf(server)
                .collect(Collectors.groupingBy(
                        channel -> List.of(channel.port(), channel.initiatorPort()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .stream()
                .map(StatusDocuments::session)
                .toList();
    }

    private static Map<String, Object> session(List<ChannelInfo> channels) {
        ChannelInfo first = channels.getFirst();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("port", first.port());
        object.put("initiator", first.initiatorPort().toString());
        object.put(
                "addresses",
                channels.stream()
                        .map(channel -> Addresses.plain(channel.address()))
                        .distinct()
                        .toList());
        object.put("channels", channels.stream().map(ChannelInfo::id).toList());
        object.put("rule", first.rule());
        object.put(
                "commands",
                channels.stream()
                        .mapToLong(channel -> channel.counters().commands.get())
                        .sum());
        return object;
    }

    private static List<Map<String, Object>> channels(SrptServer server) {
        return channelsOf(server).map(StatusDocuments::channel).toList();
    }

    private static java.util.stream.Stream<ChannelInfo> channelsOf(SrptServer server) {
        return server.target().ports().stream().flatMap(port -> port.channels().stream());
    }

    static Map<String, Object> channel(ChannelInfo channel) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("id", channel.id());
        object.put("port", channel.port());
        object.put("initiator", channel.initiatorPort().toString());
        object.put("address", Addresses.plain(channel.address()));
        object.put("rule", channel.rule());
        object.put("queue_pair", channel.queuePair());
        object.put("state", channel.state().name().toLowerCase(Locale.ROOT));
        object.put("immediate_data", channel.immediateData());
        object.put("commands", channel.counters().commands.get());
        object.put("commands_inflight", channel.counters().commandsInUse.get());
        object.put("credits", channel.counters().credits.get());
        object.put("bytes_to_initiator", channel.counters().bytesToInitiator.get());
        object.put("bytes_from_initiator", channel.counters().bytesFromInitiator.get());
        return object;
    }

    private static List<Map<String, Object>> luns(SrptServer server) {
        return server.units().entrySet().stream()
                .map(entry -> lun(entry.getKey(), entry.getValue(), server.groups(entry.getKey())))
                .toList();
    }

    private static Map<String, Object> lun(int number, LogicalUnit unit, Map<AluaSettings.Group, AluaGroup> groups) {
        LogicalUnitCounters counters = unit.counters();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("lun", number);
        object.put("store", unit.store().toString());
        object.put("serial", unit.config().serial());
        object.put("bytes", unit.store().sizeBytes());
        object.put("block_size", unit.config().blockSize());
        object.put("commands", counters.commands.get());
        object.put("commands_inflight", counters.activeCommands.get());
        object.put("reads", counters.reads.get());
        object.put("read_bytes", counters.readBytes.get());
        object.put("read_seconds", counters.nanos(OperationKind.READ).get() / NANOS_PER_SECOND);
        object.put("writes", counters.writes.get());
        object.put("written_bytes", counters.writtenBytes.get());
        object.put("write_seconds", counters.nanos(OperationKind.WRITE).get() / NANOS_PER_SECOND);
        object.put("store_errors", counters.storeErrors.get());
        if (unit.reservedBy() != null || !unit.persistentReservation().keys().isEmpty()) {
            object.put("reservation", reservation(unit.reservedBy(), unit.persistentReservation()));
        }
        object.put(
                "access",
                groups.entrySet().stream().map(StatusDocuments::access).toList());
        return object;
    }

    /** Who has reserved a disk by RESERVE or persistently, and who is registered. */
    private static Map<String, Object> reservation(@Nullable NexusId reservedBy, ReservationState persistent) {
        ReservationType type = persistent.type();
        NexusId holder = reservedBy == null ? persistent.holder() : reservedBy;
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", reservedBy != null ? "reserve" : type == null ? "none" : type.toString());
        if (holder != null) {
            object.put("holder", holder.toString());
        }
        object.put(
                "registrations",
                persistent.keys().keySet().stream().map(NexusId::toString).toList());
        object.put("kept", persistent.persistent());
        return object;
    }

    private static Map<String, Object> access(Map.Entry<AluaSettings.Group, AluaGroup> group) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("group", group.getValue().id());
        object.put("name", group.getValue().name());
        object.put("state", group.getValue().state().toString());
        object.put(
                "ports", group.getKey().ports().stream().map(Addresses::plain).toList());
        return object;
    }

    private static List<Map<String, Object>> loops(SrptServer server) {
        return server.loops().stream().map(StatusDocuments::loop).toList();
    }

    private static Map<String, Object> loop(RdmaEventLoop loop) {
        LoopCounters counters = loop.counters();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", loop.name());
        object.put("turns", loop.turns().get());
        object.put("completions", loop.completions().get());
        object.put("busy_seconds", counters.busyNanos.get() / NANOS_PER_SECOND);
        object.put("polling_seconds", counters.pollingNanos.get() / NANOS_PER_SECOND);
        object.put("idle_seconds", counters.idleNanos.get() / NANOS_PER_SECOND);
        object.put("cycle_max_seconds", counters.cycleNanos.get(System.nanoTime()) / NANOS_PER_SECOND);
        object.put("handler_errors", loop.handlerErrors().get());
        return object;
    }
}
