package io.srpt.service;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.srpt.metrics.BuildMetrics;
import io.srpt.metrics.DeviceMetrics;
import io.srpt.metrics.LoopMetrics;
import io.srpt.metrics.MadMetrics;
import io.srpt.metrics.RoceMetrics;
import io.srpt.metrics.SessionMetrics;
import io.srpt.metrics.StreamMetrics;
import io.srpt.metrics.TargetMetrics;
import io.srpt.metrics.UnitMetrics;
import io.srpt.reactor.EventKind;
import io.srpt.reactor.HandlerErrors;
import io.srpt.reactor.MadPortStreams;
import io.srpt.reactor.SrptTargetRuntime;
import io.srpt.roce.RoceDevice;
import io.srpt.target.SrptPort;
import io.srpt.verbs.RdmaDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a service: those of the process from the beginning, those of the server when it has started. They go on
 * showing the server's last values after its end. Any thread.
 */
final class ServerMetrics {
    private static final String TRANSPORT = "roce";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private volatile @Nullable SessionMetrics sessions;
    private List<Meter> shown = List.of();
    private volatile List<SrptPort> ports = List.of();
    private volatile List<RdmaDevice> devices = List.of();

    ServerMetrics() {
        bind(List.of(
                new BuildMetrics(SrptVersion.version(), TRANSPORT),
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics()));
    }

    /** Shows {@code server} as it is now, in place of what was shown of one before. */
    synchronized void server(SrptServer server, int initiators) {
        shown.forEach(registry::remove);
        List<Meter> others = List.copyOf(registry.getMeters());
        bind(server, initiators);
        shown = new ArrayList<>(registry.getMeters());
        shown.removeAll(others);
    }

    private void bind(SrptServer server, int initiators) {
        ports = server.target().ports();
        devices = server.devices();
        SessionMetrics sessionMetrics = new SessionMetrics(ports, initiators);
        List<RoceDevice> roce = devices.stream()
                .filter(RoceDevice.class::isInstance)
                .map(RoceDevice.class::cast)
                .toList();
        bind(List.of(
                sessionMetrics,
                new TargetMetrics(ports),
                new UnitMetrics(server.units(), server.deviceServer().withoutUnit()),
                new LoopMetrics(server.loops()),
                new DeviceMetrics(devices),
                new RoceMetrics(roce),
                new MadMetrics(server.runtime().madPorts().stream()
                        .map(ServerMetrics::mads)
                        .toList()),
                streams(server.runtime())));
        sessions = sessionMetrics;
    }

    private void bind(List<? extends MeterBinder> binders) {
        binders.forEach(binder -> binder.bindTo(registry));
    }

    private static MadMetrics.Port mads(MadPortStreams streams) {
        return new MadMetrics.Port(
                streams.port(),
                streams.service(),
                streams::completions,
                () -> streams.sendFallbackReleases().get());
    }

    private static StreamMetrics streams(SrptTargetRuntime runtime) {
        Map<String, LongSupplier> drops = new LinkedHashMap<>();
        for (EventKind kind : EventKind.values()) {
            drops.put(kind.label(), () -> runtime.eventStreams().missed(kind));
        }
        Map<String, LongSupplier> errors = new LinkedHashMap<>();
        for (HandlerErrors.Handler handler : HandlerErrors.Handler.values()) {
            errors.put(handler.label(), () -> runtime.handlerErrors().count(handler));
        }
        return new StreamMetrics(drops, errors);
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Belongs before each reading of the registry. */
    void refresh() {
        SessionMetrics refreshed = sessions;
        if (refreshed != null) {
            refreshed.refresh();
        }
    }

    /** What {@code /metrics} shows, and sums without labels. */
    String text() {
        refresh();
        return registry.scrape() + PlainStatistics.text(ports, devices);
    }
}
