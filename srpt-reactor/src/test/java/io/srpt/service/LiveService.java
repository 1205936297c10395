package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.service.http.BearerToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A service in this process that runs by a file, as {@code serve --config} does, and that is changed while it runs. */
final class LiveService implements AutoCloseable {
    static final String TOKEN = "correct-horse-battery-staple";
    static final String ADDRESS = TestAddresses.ofThisProcess(1);
    static final String SECOND_ADDRESS = TestAddresses.ofThisProcess(2);
    static final String INITIATOR = TestAddresses.ofThisProcess(3);
    static final String SECOND_INITIATOR = TestAddresses.ofThisProcess(4);

    private static final long GUID = 0x0200_5EFF_FE00_0B02L;

    private final Path file;
    private final HttpClient client = HttpClient.newHttpClient();
    private final TargetService service;

    private LiveService(Path file, TargetService service) {
        this.file = file;
        this.service = service;
    }

    /** Starts one; {@code text} is the file's, without addresses and without HTTP. */
    static LiveService start(Path directory, String text) throws Exception {
        return start(directory, text, new RoceDevices());
    }

    /** Like the other, on devices of another factory. */
    static LiveService start(Path directory, String text, DeviceFactory devices) throws Exception {
        Path file = directory.resolve("srpt.yaml");
        Files.writeString(file, whole(directory, text));
        ConfigurationSource source = new ConfigurationSource(ServeSettings.NOTHING, file, directory, devices);
        ConfigurationSource.Reading reading = source.read();
        return new LiveService(file, TargetService.start(source, reading, GUID, devices, Map.of()));
    }

    private static String whole(Path directory, String text) {
        return (text.contains("listen:") ? "" : "listen: " + ADDRESS + "\n") + "http: 127.0.0.1:0\nstate-dir: "
                + directory + "\n" + text;
    }

    /** A line for the file. */
    static String withToken() {
        return "http-token: " + TOKEN + "\n";
    }

    /** Writes another text into the file. */
    LiveService says(String text) throws IOException {
        Files.writeString(file, whole(file.getParent(), text));
        return this;
    }

    Path file() {
        return file;
    }

    TargetService service() {
        return service;
    }

    SrptServer server() {
        return service.server();
    }

    /** A request without a body; null for no token. */
    HttpResponse<String> send(String method, String path, @Nullable String token) throws Exception {
        return send(method, path, token, "");
    }

    HttpResponse<String> send(String method, String path, @Nullable String token, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + service.httpAddress().getPort() + path);
    }

    /** Reads the file again, and answers what was said of it. */
    HttpResponse<String> reload() throws Exception {
        return send("POST", "/api/v1/reload", TOKEN);
    }

    static InitiatorHost initiator(String address) throws ServiceException {
        return InitiatorHost.openFirst(List.of(InetAddress.ofLiteral(address)), new RoceDevices());
    }

    /** Logs in and takes the first unit attention of LUN 0 away. */
    static BlockingSrpClient login(InitiatorHost host, String address) throws Exception {
        InetAddress target = InetAddress.ofLiteral(address);
        BlockingSrpClient session =
                host.login(host.session(target, ServeConfiguration.DEFAULT_RDMA_CM_PORT, host.discoverOne(target))
                        .build());
        session.testUnitReady(0);
        return session;
    }

    @Override
    public void close() {
        client.close();
        service.close();
    }

    /** Shows that the token is one. */
    static {
        BearerToken.of(TOKEN);
    }
}
