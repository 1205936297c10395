package io.srpt.service;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One page of a headless Chromium, driven over its DevTools protocol; it notes what the page complains about. */
final class Chromium implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/bin/chromium");

    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/");
    private static final long LIMIT_SECONDS = 60;

    private final ServeProcess process;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    /** Opens {@code url}. */
    Chromium(Path directory, String url) throws Exception {
        process = ServeProcess.start(
                directory,
                "chromium",
                List.of(
                        PROGRAM.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--user-data-dir=" + directory.resolve("chromium-profile"),
                        "--remote-debugging-port=0",
                        "about:blank"));
        process.await("listening", () -> LISTENING.matcher(process.err()).find());
        Matcher address = LISTENING.matcher(process.err());
        if (!address.find()) {
            throw new IllegalStateException(process.err());
        }
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest open = HttpRequest.newBuilder(URI.create("http://" + address.group(1) + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        String page = client.send(open, HttpResponse.BodyHandlers.ofString()).body();
        URI debugger = URI.create(
                JsonMapper.shared().readTree(page).get("webSocketDebuggerUrl").asString());
        socket = client.newWebSocketBuilder()
                .buildAsync(debugger, new Messages())
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
        call("Page.enable", Map.of());
        call("Page.navigate", Map.of("url", url));
    }

    /** What the page wrote to its console as warning or error, threw, or could not load. */
    List<String> complaints() {
        return complaints;
    }

    /** The size of the window in CSS pixels. */
    void size(int width, int height, boolean phone) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
    }

    /** The value of a JavaScript expression. */
    JsonNode evaluate(String expression) throws Exception {
        return call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true))
                .at("/result/value");
    }

    /** Waits until an expression is true. */
    void await(String expression) throws Exception {
        process.await(expression, () -> evaluate("Boolean(" + expression + ")").asBoolean());
    }

    /** Presses and releases a key with this name. */
    void press(String key, int code) throws Exception {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code));
        }
    }

    /** Writes the page as it looks into a PNG file. */
    void screenshot(Path file) throws Exception {
        String data = call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
                .get("data")
                .asString();
        Files.write(file, Base64.getDecoder().decode(data));
    }

    @Override
    public void close() {
        socket.abort();
        process.close();
    }

    private JsonNode call(String method, Map<String, Object> parameters) throws Exception {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText(
                        JsonMapper.shared()
                                .writeValueAsString(Map.of("id", id, "method", method, "params", parameters)),
                        true)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        JsonNode message = answer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (message.has("error")) {
            throw new IllegalStateException(method + ": " + message.get("error"));
        }
        return message.get("result");
    }

    private void onMessage(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer =
                    answers.remove(message.get("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        String method = message.path("method").asString("");
        JsonNode parameters = message.path("params");
        boolean complaint = switch (method) {
            case "Runtime.exceptionThrown" -> true;
            case "Runtime.consoleAPICalled" ->
                List.of("error", "warning").contains(parameters.path("type").asString(""));
            case "Log.entryAdded" ->
                List.of("error", "warning")
                        .contains(parameters.at("/entry/level").asString(""));
            default -> false;
        };
        if (complaint) {
            complaints.add(parameters.toString());
        }
    }

    /** Puts the parts of a message together. */
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                onMessage(JsonMapper.shared().readTree(text.toString()));
                text.setLength(0);
            }
            webSocket.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }
}
