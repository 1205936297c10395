package io.srpt.service.http;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests that change something: looks at the token before anything else, then reads a short JSON body, then has the API do it on a
 * thread of its own, one at a time, a few waiting.
 *
 * <pre>
 *   loop ── token? 403, 401 ── body? 413, 400 ──▶ srpt-change ── Api.change ──▶ loop ── 200, 201, or a Problem
 * </pre>
 */
final class ChangeRequests implements AutoCloseable {
    /** The longest body. */
    static final int MAX_BODY = 64 * 1024;

    static final String PREFIX = "/api/v1/";

    private static final Logger LOG = LoggerFactory.getLogger(ChangeRequests.class);
    private static final Duration BODY_LIMIT = Duration.ofSeconds(10);
    /** Not without bound: Reactor Netty tells such a receiver twice that its connection was reset. */
    private static final int PARTS_AT_ONCE = 8;

    private static final int WAITING = 16;
    private static final long STOP_SECONDS = 1;
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final Supplier<@Nullable BearerToken> token;
    private final Supplier<Api> api;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("srpt-change").factory());

    /** Both may be others with the times. */
    ChangeRequests(Supplier<@Nullable BearerToken> token, Supplier<Api> api) {
        this.token = token;
        this.api = api;
    }

    /** Whether {@code request} wants to change something. */
    static boolean isOne(HttpServerRequest request) {
        HttpMethod method = request.method();
        return !method.equals(HttpMethod.GET)
                && !method.equals(HttpMethod.HEAD)
                && request.uri().startsWith(PREFIX);
    }

    Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        Problem refusal = refusal(request);
        if (refusal != null) {
            return refuse(response, refusal);
        }
        EventLoop loop = loop(request);
        return request.receive()
                .asByteArray()
                .limitRate(PARTS_AT_ONCE)
                .reduceWith(ByteArrayOutputStream::new, ChangeRequests::append)
                .timeout(BODY_LIMIT, Schedulers.fromExecutorService(loop))
                .flatMap(body -> Mono.fromFuture(change(request, body.toByteArray(), loop)))
                .onErrorResume(e -> Mono.justOrEmpty(hasGone(e) ? null : refusal(problem(e))))
                .flatMap(answer -> Mono.from(answer.apply(response)));
    }

    /** Whether the client closed or reset its connection: nobody is there to be answered. */
    private static boolean hasGone(Throwable thrown) {
        return thrown instanceof AbortedException || AbortedException.isConnectionReset(thrown);
    }

    private static EventLoop loop(HttpServerRequest request) {
        AtomicReference<@Nullable EventLoop> loop = new AtomicReference<>();
        request.withConnection(connection -> loop.set(connection.channel().eventLoop()));
        return Objects.requireNonNull(loop.get());
    }

    /**
     * Runs on, whether or not the client waits for it. The answer, be it a refusal, comes on the connection's loop, which alone
     * may send it; a failure would have nobody to go to when the client has gone.
     */
    private CompletableFuture<Answer> change(HttpServerRequest request, byte[] body, Executor loop) {
        CompletableFuture<Answer> done = new CompletableFuture<>();
        thread.execute(() -> {
            Answer answer;
            try {
                answer = reply(api.get().change(read(request, body)));
            } catch (Problem | RuntimeException | Error e) {
                answer = refusal(problem(e));
            }
            Answer made = answer;
            loop.execute(() -> done.complete(made));
        });
        return done;
    }

    /** What is sent. */
    @FunctionalInterface
    private interface Answer extends Function<HttpServerResponse, Publisher<Void>> {}

    private static Answer reply(Api.Reply reply) {
        HttpResponseStatus status = reply.created() ? HttpResponseStatus.CREATED : HttpResponseStatus.OK;
        return response -> HttpService.json(response, status, reply.document());
    }

    private static Answer refusal(Problem problem) {
        return response -> refuse(response, problem);
    }

    /** What can be said before the body has come. */
    private @Nullable Problem refusal(HttpServerRequest request) {
        BearerToken wanted = token.get();
        if (wanted == null) {
            return new Problem(
                    Problem.Status.FORBIDDEN,
                    "this service has no token; give it one with http-token-file (or http-token) in its configuration");
        }
        if (!wanted.isCarriedBy(request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION))) {
            return new Problem(Problem.Status.UNAUTHORIZED, "send the service's token: Authorization: Bearer TOKEN");
        }
        Long length = length(request);
        return length == null || length > MAX_BODY ? tooLarge() : null;
    }

    private static Problem tooLarge() {
        return new Problem(Problem.Status.TOO_LARGE, "a body may have " + MAX_BODY + " bytes");
    }

    /** What the request says of its length, 0 if nothing, null if that is nonsense. */
    private static @Nullable Long length(HttpServerRequest request) {
        try {
            return Long.valueOf(request.requestHeaders().get(HttpHeaderNames.CONTENT_LENGTH, "0"));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static ByteArrayOutputStream append(ByteArrayOutputStream body, byte[] more) {
        if (body.size() + more.length > MAX_BODY) {
            throw new BodyTooLong();
        }
        body.write(more, 0, more.length);
        return body;
    }

    private static Api.Request read(HttpServerRequest request, byte[] body) throws Problem {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        Map<String, String> query = new LinkedHashMap<>();
        uri.parameters().forEach((name, values) -> query.put(name, values.getLast()));
        List<String> path = Arrays.asList(uri.path().substring(PREFIX.length()).split("/"));
        return new Api.Request(request.method().name(), path, query, object(body));
    }

    private static Map<String, Object> object(byte[] body) throws Problem {
        if (body.length == 0) {
            return Map.of();
        }
        try {
            Map<String, Object> object = JsonMapper.shared().readValue(body, OBJECT);
            if (object != null) {
                return object;
            }
        } catch (JacksonException e) {
            throw new Problem(Problem.Status.BAD_REQUEST, "the body is no JSON object: " + e.getOriginalMessage());
        }
        throw new Problem(Problem.Status.BAD_REQUEST, "the body is no JSON object");
    }

    private static Problem problem(Throwable thrown) {
        return switch (thrown) {
            case Problem problem -> problem;
            case BodyTooLong tooLong -> tooLarge();
            case TimeoutException tooSlow ->
                new Problem(Problem.Status.TOO_SLOW, "the body did not come in time; send it at once");
            case RejectedExecutionException busy ->
                new Problem(Problem.Status.UNAVAILABLE, "too many changes are waiting; try again");
            default -> {
                LOG.error("A change over HTTP failed", thrown);
                yield new Problem(Problem.Status.FAILED, "see the log: " + thrown);
            }
        };
    }

    /** Whatever the client still sends is not read. */
    private static Publisher<Void> refuse(HttpServerResponse response, Problem problem) {
        if (problem.status() == Problem.Status.UNAUTHORIZED) {
            response.header(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        response.header(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return HttpService.problem(response, problem);
    }

    /** Waits a little for what is under way. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thread.shutdownNow();
        }
    }

    private static final class BodyTooLong extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
