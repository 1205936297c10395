package io.srpt.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.srp.PortId;
import io.srpt.target.ChannelInfo;
import io.srpt.target.ChannelState;
import io.srpt.target.SrptPort;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sessions, channels, commands in flight and credits. Without the initiator label there is a series for each port, and for
 * each state where channels are counted. With it there is one for each initiator that has a channel, at most as many as the
 * cap; the rest share {@value #OTHER}. Series of initiators that have left go away in {@link #refresh()}, which belongs
 * before each reading of the registry.
 *
 * <p>Threads: any, one at a time.
 */
public final class SessionMetrics implements MeterBinder {
    /** The label's name. */
    public static final String INITIATOR = "initiator";
    /** The label's value for all initiators beyond the cap. */
    public static final String OTHER = "other";

    private final List<SrptPort> ports;
    private final int maxInitiators;
    private final Map<PortId, String> labels = new HashMap<>();
    private final Map<Key, Value> values = new LinkedHashMap<>();
    private @Nullable MeterRegistry registry;

    private record Key(Metric metric, Tags tags) {}

    /** What a gauge shows. */
    private static final class Value {
        private final Meter meter;
        private final double[] cell;
        private double next;
        private boolean used;

        Value(Meter meter, double[] cell) {
            this.meter = meter;
            this.cell = cell;
        }
    }

    /** Of {@code ports}; with at most {@code maxInitiators} initiators by name, or for 0 without the label. */
    public SessionMetrics(List<SrptPort> ports, int maxInitiators) {
        this.ports = List.copyOf(ports);
        this.maxInitiators = maxInitiators;
    }

    @Override
    public synchronized void bindTo(MeterRegistry to) {
        registry = to;
        if (maxInitiators == 0) {
            bindPorts(new Meters(to));
        } else {
            refresh();
        }
    }

    private void bindPorts(Meters meters) {
        for (SrptPort port : ports) {
            String name = port.name();
            meters.gauge(Metric.SESSIONS, () -> port.counters().nexusesInUse.get(), name);
            meters.gauge(Metric.COMMANDS_INFLIGHT, () -> port.counters().commandsInUse.get(), name);
            meters.gauge(Metric.CREDITS, () -> port.counters().creditsInUse.get(), name);
            for (ChannelState state : ChannelState.values()) {
                meters.gauge(
                        Metric.CHANNELS,
                        () -> port.channels().stream()
                                .filter(channel -> channel.state() == state)
                                .count(),
                        name,
                        Meters.label(state));
            }
        }
    }

    /** Looks who is there: takes series of those who left away, and adds those who came. */
    public synchronized void refresh() {
        if (maxInitiators == 0 || registry == null) {
            return;
        }
        List<ChannelInfo> channels =
                ports.stream().flatMap(port -> port.channels().stream()).toList();
        name(channels);
        for (Value value : values.values()) {
            value.next = 0;
            value.used = false;
        }
        for (ChannelInfo channel : channels) {
            count(channel);
        }
        sessions(channels);
        Iterator<Value> iterator = values.values().iterator();
        while (iterator.hasNext()) {
            Value value = iterator.next();
            value.cell[0] = value.next;
            if (!value.used) {
                registry.remove(value.meter);
                iterator.remove();
            }
        }
    }

    /** An initiator keeps its name, or its lack of one, as long as it has a channel. */
    private void name(List<ChannelInfo> channels) {
        Set<PortId> present = channels.stream().map(ChannelInfo::initiatorPort).collect(Collectors.toSet());
        labels.keySet().retainAll(present);
        for (ChannelInfo channel : channels) {
            PortId initiator = channel.initiatorPort();
            long named = labels.values().stream().filter(label -> !label.equals(OTHER)).count();
            labels.putIfAbsent(initiator, named < maxInitiators ? initiator.toString() : OTHER);
        }
    }

    private void count(ChannelInfo channel) {
        Tags port = initiator(channel).and(Tag.of("port", channel.port()));
        add(Metric.CHANNELS, port.and(Tag.of("state", Meters.label(channel.state()))), 1);
        add(Metric.COMMANDS_INFLIGHT, port, channel.counters().commandsInUse.get());
        add(Metric.CREDITS, port, channel.counters().credits.get());
    }

    private void sessions(List<ChannelInfo> channels) {
        channels.stream()
                .collect(Collectors.toMap(
                        channel -> Map.entry(channel.port(), channel.initiatorPort()),
                        channel -> channel,
                        (first, second) -> first,
                        LinkedHashMap::new))
                .values()
                .forEach(channel ->
                        add(Metric.SESSIONS, initiator(channel).and(Tag.of("port", channel.port())), 1));
    }

    private Tags initiator(ChannelInfo channel) {
        return Tags.of(INITIATOR, labels.getOrDefault(channel.initiatorPort(), OTHER));
    }

    private void add(Metric metric, Tags tags, double amount) {
        Value value = values.computeIfAbsent(new Key(metric, tags), this::register);
        value.next += amount;
        value.used = true;
    }

    private Value register(Key key) {
        MeterRegistry to = registry;
        if (to == null) {
            throw new IllegalStateException("not bound");
        }
        double[] cell = new double[1];
        Gauge gauge = Gauge.builder(key.metric.meterName(), () -> cell[0])
                .description(key.metric.help())
                .tags(key.tags)
                .strongReference(true)
                .register(to);
        return new Value(gauge, cell);
    }
}
