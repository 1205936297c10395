package io.srpt.service.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves a status page, metrics, health, status and events over HTTP/1.1, on the loop group that it is given. It asks nobody who
 * reads who they are: whom it may tell is a matter of the address that it listens on. Who changes something needs the token.
 *
 * <p>Threads: any but those of the group.
 */
public final class HttpService implements AutoCloseable {
    /** The text format of Prometheus. */
    public static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    /** OpenMetrics, for those who ask for it. */
    public static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    /** How many clients may listen to events at a time. */
    public static final int MAX_EVENT_CLIENTS = 8;

    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Duration START_LIMIT = Duration.ofSeconds(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(2);
    private static final Connections.Limits LIMITS =
            new Connections.Limits(256, Duration.ofMinutes(1), Duration.ofSeconds(10), Duration.ofSeconds(30));
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Sources sources;
    private final Scheduler scheduler;
    private final ChangeRequests changes;
    private final Connections connections = new Connections(LIMITS);
    private final DisposableServer server;
    private final AtomicInteger eventClients = new AtomicInteger();
    private final Sinks.Empty<Void> stopping = Sinks.empty();

    /**
     * What it shows.
     *
     * @param registry the meters
     * @param beforeScrape called before the meters are read
     * @param health for {@code /healthz} and {@code /readyz}
     * @param status for {@code /api/v1/}
     * @param token what a request that changes something must carry, null while there is none
     * @param api what such requests do
     * @param eventKinds names that a client may choose events by
     * @param events a stream of events for one more client, of the kinds that it chose; what it misses are events in it
     */
    public record Sources(
            PrometheusMeterRegistry registry,
            Runnable beforeScrape,
            Health health,
            StatusSource status,
            Supplier<@Nullable BearerToken> token,
            Supplier<Api> api,
            Set<String> eventKinds,
            Function<Set<String>, Flux<ServerEvent>> events) {}

    private HttpService(InetSocketAddress address, EventLoopGroup group, Sources sources) {
        this.sources = sources;
        changes = new ChangeRequests(sources.token, sources.api);
        scheduler = Schedulers.fromExecutorService(group);
        server = HttpServer.create()
                .runOn(group)
                .bindAddress(() -> address)
                .doOnChannelInit((observer, channel, remote) -> connections.watch(channel))
                .route(this::route)
                .bindNow(START_LIMIT);
    }

    /** Starts to listen on {@code address}. */
    public static HttpService start(InetSocketAddress address, EventLoopGroup group, Sources sources)
            throws IOException {
        try {
            return new HttpService(address, group, sources);
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(String.valueOf(cause.getMessage()), e);
        }
    }

    /** Where it listens; the port is the one it got where 0 was asked for. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.address();
    }

    /** Ends event streams and connections, within seconds. */
    @Override
    public void close() {
        stopping.tryEmitEmpty();
        changes.close();
        server.disposeNow(STOP_LIMIT);
    }

    private void route(HttpServerRoutes routes) {
        for (StatusPage part : StatusPage.all()) {
            routes.get(part.path(), (request, response) -> page(part, response));
        }
        routes.route(ChangeRequests::isOne, changes::handle)
                .get("/metrics", this::metrics)
                .get("/healthz", this::alive)
                .get("/livez", this::alive)
                .get("/readyz", (request, response) -> health(response, sources.health.whyNotReady()))
                .get("/events", this::events)
                .get("/api/v1", (request, response) -> index(response))
                .get("/api/v1/", (request, response) -> index(response))
                .get("/api/v1/{name}", (request, response) -> document(request.param("name"), response));
    }

    private static Publisher<Void> page(StatusPage part, HttpServerResponse response) {
        response.header(HttpHeaderNames.CONTENT_SECURITY_POLICY, StatusPage.SECURITY_POLICY)
                .header(HttpHeaderNames.X_FRAME_OPTIONS, "DENY");
        return send(response, HttpResponseStatus.OK, part.type(), part.content());
    }

    private Publisher<Void> metrics(HttpServerRequest request, HttpServerResponse response) {
        String accept = request.requestHeaders().get(HttpHeaderNames.ACCEPT, "");
        String type = accept.contains(OPEN_METRICS_TYPE) ? OPEN_METRICS : PROMETHEUS_TEXT;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            sources.beforeScrape.run();
            sources.registry.scrape(text, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return send(response, HttpResponseStatus.OK, type, Unpooled.wrappedBuffer(text.toByteArray()));
    }

    private Publisher<Void> alive(HttpServerRequest request, HttpServerResponse response) {
        return health(response, sources.health.whyNotAlive());
    }

    private static Publisher<Void> health(HttpServerResponse response, @Nullable String wrong) {
        HttpResponseStatus status = wrong == null ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
        return send(response, status, TEXT, utf8((wrong == null ? "ok" : wrong) + "\n"));
    }

    private Publisher<Void> index(HttpServerResponse response) {
        Map<String, Object> index = Map.of(
                "documents",
                sources.status.names().stream()
                        .sorted()
                        .map(name -> "/api/v1/" + name)
                        .toList());
        return json(response, HttpResponseStatus.OK, index);
    }

    private Publisher<Void> document(@Nullable String name, HttpServerResponse response) {
        if (name == null || !sources.status.names().contains(name)) {
            return problem(response, new Problem(Problem.Status.NOT_FOUND, "there is no document of this name"));
        }
        Map<String, Object> document = sources.status.document(name);
        return document == null
                ? problem(response, new Problem(Problem.Status.UNAVAILABLE, "the target starts"))
                : json(response, HttpResponseStatus.OK, document);
    }

    private Publisher<Void> events(HttpServerRequest request, HttpServerResponse response) {
        Set<String> kinds = new TreeSet<>();
        for (String value : new QueryStringDecoder(request.uri()).parameters().getOrDefault("kinds", List.of())) {
            kinds.addAll(List.of(value.split(",")));
        }
        if (!sources.eventKinds.containsAll(kinds)) {
            String known = String.join(", ", new TreeSet<>(sources.eventKinds));
            return send(response, HttpResponseStatus.BAD_REQUEST, TEXT, utf8("kinds are " + known + "\n"));
        }
        if (eventClients.incrementAndGet() > MAX_EVENT_CLIENTS) {
            eventClients.decrementAndGet();
            return send(
                    response,
                    HttpResponseStatus.SERVICE_UNAVAILABLE,
                    TEXT,
                    utf8("no more than " + MAX_EVENT_CLIENTS + " clients may listen at a time\n"));
        }
        Flux<String> heartbeats = Flux.interval(Duration.ZERO, HEARTBEAT, scheduler)
                .onBackpressureDrop()
                .map(beat -> ": " + beat + "\n\n");
        Flux<ByteBuf> lines = Flux.merge(sources.events.apply(kinds).map(ServerEvent::text), heartbeats)
                .takeUntilOther(stopping.asMono())
                .map(HttpService::utf8)
                .doFinally(end -> eventClients.decrementAndGet());
        return response.sse().header(HttpHeaderNames.CACHE_CONTROL, "no-store").send(lines, line -> true);
    }

    static Publisher<Void> problem(HttpServerResponse response, Problem problem) {
        return send(
                response,
                HttpResponseStatus.valueOf(problem.status().code()),
                Problem.TYPE,
                Unpooled.wrappedBuffer(JsonMapper.shared().writeValueAsBytes(problem.document())));
    }

    static Publisher<Void> json(HttpServerResponse response, HttpResponseStatus status, Map<String, Object> document) {
        byte[] text = JsonMapper.shared().writeValueAsBytes(document);
        return send(response, status, JSON, Unpooled.wrappedBuffer(text));
    }

    static Publisher<Void> send(HttpServerResponse response, HttpResponseStatus status, String type, ByteBuf body) {
        return response.status(status)
                .header(HttpHeaderNames.CONTENT_TYPE, type)
                .header(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()))
                .send(Mono.just(body));
    }

    private static ByteBuf utf8(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8));
    }
}
