package io.srpt.service;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.srpt.service.http.Api;
import io.srpt.service.http.Health;
import io.srpt.service.http.HttpService;
import io.srpt.service.http.ServerEvent;
import io.srpt.service.systemd.ServiceManager;
import io.srpt.service.systemd.SystemdNotifier;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/**
 * The long-running service: a server, and around it metrics, HTTP, the watch over its loops, and what systemd is told.
 *
 * <pre>
 *   start   HTTP (not ready: starting) ─ server ─ meters ─ watch ─ statistics file ─ ready, READY=1
 *   stop    not ready: draining, STOPPING=1 ─ drain ─ server (log out, flush, free) ─ statistics file ─ HTTP
 * </pre>
 *
 * <p>Threads: any but the loops. {@link #close()} is bounded: by the drain timeout and by the server's own steps.
 */
final class TargetService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TargetService.class);
    private static final Duration WATCH_PERIOD = Duration.ofSeconds(1);
    /** A process whose loops hang for so long does not live. */
    private static final Duration HANG_LIMIT = Duration.ofSeconds(10);

    private static final long GROUP_STOP_MILLIS = 1000;

    private final ServeConfiguration configuration;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("srpt-http", true), EpollIoHandler.newFactory());
    /** Two, so that the watch over the loops goes on while addresses are looked at. */
    private final ScheduledExecutorService watcher = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("srpt-watch").factory());

    private final ServiceManager manager;
    private final ServerMetrics metrics = new ServerMetrics();
    private final StatusDocuments status = new StatusDocuments();
    private final Health health = new Health(this::whyNotAlive);
    private volatile @Nullable LoopWatch watch;
    private volatile @Nullable SrptServer server;
    private volatile @Nullable ServiceChanges changes;
    private volatile Api api = Api.STARTING;
    private @Nullable HttpService http;
    private @Nullable StatsFile statsFile;
    private boolean closed;

    private TargetService(ServeConfiguration configuration, Map<String, String> environment) {
        this.configuration = configuration;
        manager = SystemdNotifier.of(environment, ProcessHandle.current().pid(), group);
    }

    /** Starts all; the target takes logins when this returns. What was started is stopped again if a step fails. */
    static TargetService start(
            ServeConfiguration configuration, long serviceGuid, DeviceFactory devices, Map<String, String> environment)
            throws ServiceException {
        ConfigurationSource nowhere =
                new ConfigurationSource(ServeSettings.NOTHING, null, configuration.stateDirectory(), devices);
        return start(
                nowhere,
                new ConfigurationSource.Reading(null, null, ServeSettings.NOTHING, configuration),
                serviceGuid,
                devices,
                environment);
    }

    /** The same with where the configuration came from, to look there again. */
    static TargetService start(
            ConfigurationSource source,
            ConfigurationSource.Reading reading,
            long serviceGuid,
            DeviceFactory devices,
            Map<String, String> environment)
            throws ServiceException {
        TargetService service = new TargetService(reading.configuration(), environment);
        try {
            service.startAll(serviceGuid, devices);
            service.begin(source, reading);
        } catch (ServiceException | RuntimeException e) {
            service.close();
            throw e;
        }
        return service;
    }

    /** HTTP comes up beside the server, so that it can say that the server starts, and that it costs no time. */
    private void startAll(long serviceGuid, DeviceFactory devices) throws ServiceException {
        FutureTask<@Nullable HttpService> httpStart = new FutureTask<>(this::startHttp);
        Thread.ofPlatform().daemon().name("srpt-http-start").start(httpStart);
        try {
            server = SrptServer.start(configuration, serviceGuid, devices);
        } finally {
            http = await(httpStart);
        }
        SrptServer started = server;
        metrics.server(started, configuration.runtime().metricsInitiators());
        started.onDevicesChanged(
                () -> metrics.server(started, configuration.runtime().metricsInitiators()));
        status.server(started);
        LoopWatch loops = new LoopWatch(started.loops(), HANG_LIMIT, manager::alive);
        watch = loops;
        loops.start(watcher, watchPeriod());
        watcher.scheduleWithFixedDelay(
                () -> lookAtAddresses(started),
                WATCH_PERIOD.toMillis(),
                WATCH_PERIOD.toMillis(),
                TimeUnit.MILLISECONDS);
        Path file = configuration.statsFile();
        statsFile = file == null ? null : StatsFile.start(file, metrics::text);
    }

    /** All is there: it can be used, and changed. */
    private void begin(ConfigurationSource source, ConfigurationSource.Reading reading) {
        SrptServer started = Objects.requireNonNull(server);
        ServiceChanges made = new ServiceChanges(started, new LiveConfiguration(started, source, reading), manager);
        changes = made;
        api = new ServerApi(made);
        health.ready();
        manager.ready(ServiceChanges.status(started));
    }

    /** Reads the configuration file again because of a signal: the log is the only one to tell. */
    void reloadAsTold() {
        ServiceChanges begun = changes;
        if (begun != null) {
            begun.reloadAsTold();
        }
    }

    private ServeConfiguration configuration() {
        SrptServer running = server;
        return running == null ? configuration : running.configuration();
    }

    private static void lookAtAddresses(SrptServer server) {
        try {
            server.lookAtAddresses();
        } catch (RuntimeException e) {
            LOG.warn("The addresses of this machine cannot be looked at: {}", e.toString());
        }
    }

    private static @Nullable HttpService await(FutureTask<@Nullable HttpService> start) throws ServiceException {
        try {
            return start.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ServiceException known) {
                throw known;
            }
            throw new ServiceException("HTTP cannot start: " + e.getCause(), e);
        }
    }

    /** systemd wants to hear at least twice in the time after which it ends the process. */
    private Duration watchPeriod() {
        Duration limit = manager.watchdog();
        Duration half = limit == null ? WATCH_PERIOD : limit.dividedBy(3);
        return half.compareTo(WATCH_PERIOD) < 0 ? half : WATCH_PERIOD;
    }

    private @Nullable HttpService startHttp() throws ServiceException {
        InetSocketAddress address = configuration.runtime().http();
        if (address == null) {
            return null;
        }
        String where = Addresses.withPort(address.getAddress(), address.getPort());
        HttpService.Sources sources = new HttpService.Sources(
                metrics.registry(),
                metrics::refresh,
                health,
                status,
                () -> configuration().runtime().token(),
                () -> api,
                EventDocuments.KINDS,
                this::events);
        try {
            HttpService started = HttpService.start(address, group, sources);
            if (!address.getAddress().isLoopbackAddress()) {
                LOG.warn("Whoever reaches {} reads metrics, status and events: they ask for no token", where);
            }
            return started;
        } catch (IOException e) {
            if (configuration.runtime().httpRequired()) {
                throw new ServiceException("cannot listen on " + where + " for HTTP: " + e.getMessage(), e);
            }
            LOG.warn(
                    "No metrics and no status over HTTP: cannot listen on {}: {}. Choose with --http",
                    where,
                    e.getMessage());
            return null;
        }
    }

    private Flux<ServerEvent> events(Set<String> kinds) {
        SrptServer started = server;
        return started == null
                ? Flux.empty()
                : EventDocuments.flux(started.runtime().streams(), kinds);
    }

    private @Nullable String whyNotAlive() {
        LoopWatch loops = watch;
        return loops == null ? null : loops.problem();
    }

    /** Where the target can be reached. */
    List<ReadyLine> addresses() {
        SrptServer started = server;
        return started == null ? List.of() : started.addresses();
    }

    /** Where HTTP listens, null if nowhere. */
    @Nullable
    InetSocketAddress httpAddress() {
        HttpService listening = http;
        return listening == null ? null : listening.address();
    }

    /** The server. */
    @Nullable
    SrptServer server() {
        return server;
    }

    /** Stops all. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (changes != null) {
            changes.end();
        }
        health.notReady("draining");
        manager.stopping();
        SrptServer stopping = server;
        if (stopping != null) {
            stopping.drain(configuration().runtime().drainTimeout());
            health.notReady("stopping");
            stopping.close();
        }
        if (statsFile != null) {
            statsFile.close();
        }
        watcher.shutdownNow();
        if (http != null) {
            http.close();
        }
        manager.close();
        group.shutdownGracefully(0, GROUP_STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(GROUP_STOP_MILLIS);
    }
}
