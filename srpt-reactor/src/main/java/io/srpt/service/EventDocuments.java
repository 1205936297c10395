package io.srpt.service;

import io.srpt.reactor.EventKind;
import io.srpt.reactor.SrptStreams;
import io.srpt.reactor.event.ChannelReleased;
import io.srpt.reactor.event.ChannelStateChanged;
import io.srpt.reactor.event.CommandCompleted;
import io.srpt.reactor.event.ConnectionIncident;
import io.srpt.reactor.event.EventsMissed;
import io.srpt.reactor.event.LoginAccepted;
import io.srpt.reactor.event.LoginRejected;
import io.srpt.reactor.event.LoopStalled;
import io.srpt.reactor.event.MadArrived;
import io.srpt.reactor.event.MadSent;
import io.srpt.reactor.event.PortIncident;
import io.srpt.reactor.event.QueuePairIncident;
import io.srpt.reactor.event.SrptEvent;
import io.srpt.reactor.event.TaskManagementDone;
import io.srpt.reactor.event.TransportIncident;
import io.srpt.service.http.ServerEvent;
import io.srpt.target.ChannelInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import tools.jackson.databind.json.JsonMapper;

/** Events as {@code /events} shows them: the record's name in snake case, and a JSON object. */
final class EventDocuments {
    /** The names of the streams. */
    static final Set<String> KINDS =
            Arrays.stream(EventKind.values()).map(EventKind::label).collect(Collectors.toUnmodifiableSet());

    private EventDocuments() {}

    /** The events of the streams with the names {@code kinds}, or of all but commands where none is named. */
    static Flux<ServerEvent> flux(SrptStreams streams, Set<String> kinds) {
        List<Flux<? extends SrptEvent>> chosen = new ArrayList<>();
        for (EventKind kind : EventKind.values()) {
            if (kinds.isEmpty() ? kind != EventKind.COMMAND : kinds.contains(kind.label())) {
                chosen.add(flux(streams, kind));
            }
        }
        return Flux.merge(chosen).map(EventDocuments::of);
    }

    private static Flux<? extends SrptEvent> flux(SrptStreams streams, EventKind kind) {
        return switch (kind) {
            case CHANNEL -> streams.channelEvents();
            case LOGIN -> streams.loginEvents();
            case COMMAND -> streams.commandCompletions();
            case TASK_MANAGEMENT -> streams.taskManagementEvents();
            case PORT -> streams.portEvents();
            case TRANSPORT -> streams.transportEvents();
            case STALL -> streams.stallEvents();
            case MAD -> streams.madEvents();
        };
    }

    static ServerEvent of(SrptEvent event) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (!event.port().isEmpty()) {
            object.put("port", event.port());
        }
        fill(object, event);
        return new ServerEvent(
                snakeCase(event.getClass().getSimpleName()),
                JsonMapper.shared().writeValueAsString(object));
    }

    private static void fill(Map<String, Object> object, SrptEvent event) {
        switch (event) {
            case LoginAccepted login -> channel(object, login.channel());
            case LoginRejected login -> {
                object.put("initiator", login.initiatorPort().toString());
                object.put("address", Addresses.plain(login.address()));
                object.put("reason", lower(login.reason()));
            }
            case ChannelStateChanged change -> {
                channel(object, change.channel());
                object.put("before", lower(change.before()));
            }
            case ChannelReleased released -> {
                channel(object, released.channel());
                object.put("cause", lower(released.cause()));
            }
            case ConnectionIncident incident -> {
                channel(object, incident.channel());
                object.put("event", lower(incident.event()));
            }
            case QueuePairIncident incident -> {
                channel(object, incident.channel());
                object.put("event", lower(incident.event()));
            }
            case TaskManagementDone done -> {
                channel(object, done.channel());
                object.put("function", done.function());
                object.put("lun", hex(done.lun()));
                object.put("task_tag", hex(done.taskTag()));
                object.put("response", done.response());
            }
            case CommandCompleted command -> command(object, command);
            case MadSent mad -> {
                object.put("status", lower(mad.status()));
                mad(object, mad.managementClass(), mad.method(), mad.attributeId(), mad.transactionId());
            }
            case MadArrived mad -> {
                object.put("source", mad.source().toString());
                mad(object, mad.managementClass(), mad.method(), mad.attributeId(), mad.transactionId());
            }
            case PortIncident incident -> {
                object.put("device", incident.device());
                object.put("event", lower(incident.event()));
            }
            case TransportIncident incident -> {
                object.put("kind", lower(incident.kind()));
                object.put("queue_pair", incident.queuePair());
                object.put("detail", incident.detail());
            }
            case LoopStalled stall -> {
                object.put("loop", stall.loop());
                object.put("handler", stall.handler());
                object.put("nanos", stall.duration().toNanos());
                object.put("over", stall.over());
            }
            case EventsMissed missed -> object.put("count", missed.count());
        }
    }

    private static void channel(Map<String, Object> object, ChannelInfo channel) {
        object.put("channel", channel.id());
        object.put("initiator", channel.initiatorPort().toString());
        object.put("address", Addresses.plain(channel.address()));
        object.put("state", lower(channel.state()));
    }

    private static void command(Map<String, Object> object, CommandCompleted command) {
        object.put("channel", command.channel());
        object.put("lun", hex(command.lun()));
        object.put("operation_code", command.operationCode());
        object.put("bytes", command.bytes());
        object.put("status", command.status());
        object.put("sense_key", command.senseKey());
        object.put("sense_code", command.senseCode());
        object.put("nanos", command.nanos());
    }

    private static void mad(
            Map<String, Object> object, int managementClass, int method, int attribute, long transactionId) {
        object.put("class", managementClass);
        object.put("method", method);
        object.put("attribute", attribute);
        object.put("transaction_id", hex(transactionId));
    }

    private static String hex(long value) {
        return HexFormat.of().toHexDigits(value);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String snakeCase(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
