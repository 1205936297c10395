package io.srpt.service.remote;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A running service, by its HTTP side. */
final class RemoteService {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    /** Growing a file that takes its space at once may write much. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(150);

    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    private static final int FIRST_ERROR = 400;

    private final URI base;
    private final @Nullable String token;

    /** The service at {@code base}; {@code token} for changes, null if there is none. */
    RemoteService(URI base, @Nullable String token) {
        this.base = base;
        this.token = token;
    }

    /** What {@code /api/v1/} says at {@code path}. */
    Map<String, Object> get(String path) throws IOException {
        return send("GET", path, Map.of());
    }

    /** Has something changed. */
    Map<String, Object> send(String method, String path, Map<String, Object> body) throws IOException {
        URI uri = URI.create(base + "/api/v1/" + path);
        String text = body.isEmpty() ? "" : JsonMapper.shared().writeValueAsString(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(ANSWER_LIMIT)
                .method(method, HttpRequest.BodyPublishers.ofString(text));
        if (!text.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (token != null && !method.equals("GET")) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_LIMIT)
                .build()) {
            return read(uri, client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RemoteException("interrupted", e);
        } catch (ConnectException e) {
            throw new RemoteException("nobody answers at " + base + "; is the service running? Choose with --url", e);
        } catch (HttpTimeoutException e) {
            throw new RemoteException(base + " does not answer in time", e);
        }
    }

    private static Map<String, Object> read(URI uri, HttpResponse<String> response) throws IOException {
        Map<String, Object> document;
        try {
            document = JsonMapper.shared().readValue(response.body(), OBJECT);
        } catch (JacksonException e) {
            throw new RemoteException(uri + " answers " + response.statusCode() + " and no JSON; is that srpt?", e);
        }
        if (response.statusCode() >= FIRST_ERROR) {
            throw new RemoteException(
                    String.valueOf(document.getOrDefault("detail", "status " + response.statusCode())));
        }
        return document;
    }

    /** A part of a path. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
