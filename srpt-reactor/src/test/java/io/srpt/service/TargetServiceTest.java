package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.srpt.initiator.BlockingSrpClient;
import io.srpt.roce.net.FaultSpec;
import io.srpt.service.http.HttpService;
import io.srpt.service.systemd.NotifySocket;
import io.srpt.store.StoreSpec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TargetServiceTest {
    private static final long GUID = 0x0200_5EFF_FE00_0B01L;
    private static final InetAddress TARGET = InetAddress.ofLiteral("127.44.1.1");
    private static final InetAddress INITIATOR = InetAddress.ofLiteral("127.44.1.2");
    private static final int BLOCK = 512;
    private static final int COMMANDS = 20;

    private final HttpClient client = HttpClient.newHttpClient();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        client.close();
        group.shutdownGracefully();
    }

    @Test
    void showsWhatInitiatorsDo() throws Exception {
        try (TargetService service = start(0, Map.of())) {
            try (InitiatorHost host = InitiatorHost.openFirst(List.of(INITIATOR), new RoceDevices());
                    BlockingSrpClient session = logIn(host)) {
                for (int i = 0; i < COMMANDS; i++) {
                    session.write(0, i, new byte[2 * BLOCK], BLOCK);
                    session.read(0, i, 4, BLOCK);
                }
                String text = get(service, "/metrics").body();
                assertThat(sample(text, "srpt_commands_total", "lun=\"0\"", "op=\"write\"", "status=\"good\""))
                        .isEqualTo(COMMANDS);
                assertThat(sample(text, "srpt_commands_total", "lun=\"0\"", "op=\"read\"", "status=\"good\""))
                        .isEqualTo(COMMANDS);
                assertThat(sample(text, "srpt_bytes_total", "lun=\"0\"", "direction=\"write\""))
                        .isEqualTo(2 * BLOCK * COMMANDS);
                assertThat(sample(text, "srpt_bytes_total", "lun=\"0\"", "direction=\"read\""))
                        .isEqualTo(4 * BLOCK * COMMANDS);
                assertThat(sample(text, "srpt_command_duration_seconds_count", "op=\"read\""))
                        .isEqualTo(COMMANDS);
                assertThat(sample(text, "srpt_channels", "state=\"live\"")).isOne();
                assertThat(sample(text, "srpt_sessions")).isOne();
                assertThat(sample(text, "srpt_logins_total", "result=\"accepted\""))
                        .isOne();
                assertThat(sample(text, "srpt_credits_available")).isPositive();
                double completions = sample(text, "srpt_mad_send_completions_total", "status=\"success\"");
                assertThat(completions).as("discovery and connection").isPositive();
                assertThat(sample(text, "srpt_mad_buffers_released_total", "by=\"handler\""))
                        .isEqualTo(completions);
                assertThat(sample(text, "srpt_mad_buffers_released_total", "by=\"fallback\""))
                        .isZero();
                assertThat(sample(text, "srpt_roce_packets_total", "direction=\"received\"", "opcode=\"ud_send_only\""))
                        .isPositive();
                assertThat(text).doesNotContain("initiator=");

                assertThat(get(service, "/api/v1/channels").body()).contains("\"state\":\"live\"", "127.44.1.2");
                assertThat(get(service, "/api/v1/sessions").body()).contains("\"channels\":[");
                assertThat(get(service, "/api/v1/luns").body()).contains("\"writes\":" + COMMANDS);
                assertThat(get(service, "/api/v1/nothing").statusCode()).isEqualTo(404);
            }
        }
    }

    @Test
    void takesTheSeriesOfInitiatorsAwayThatHaveLeft() throws Exception {
        try (TargetService service = start(1, Map.of())) {
            try (InitiatorHost host = InitiatorHost.openFirst(List.of(INITIATOR), new RoceDevices());
                    BlockingSrpClient first = logIn(host);
                    BlockingSrpClient second = host.login(host.session(TARGET, 5555, host.discoverOne(TARGET))
                            .initiatorPort(7, 7)
                            .build())) {
                first.testUnitReady(0);
                second.testUnitReady(0);
                String text = get(service, "/metrics").body();
                assertThat(sample(text, "srpt_sessions", "initiator=\"other\"")).isOne();
                assertThat(text.lines().filter(line -> line.startsWith("srpt_sessions{")))
                        .hasSize(2);
            }
            await(() -> !get(service, "/metrics").body().contains("initiator="));
        }
    }

    @Test
    void negotiatesOpenMetrics() throws Exception {
        try (TargetService service = start(0, Map.of())) {
            HttpResponse<String> text = get(service, "/metrics");
            HttpResponse<String> open = client.send(
                    request(service, "/metrics")
                            .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(text.headers().firstValue("content-type")).hasValue(HttpService.PROMETHEUS_TEXT);
            assertThat(open.headers().firstValue("content-type")).hasValue(HttpService.OPEN_METRICS);
            assertThat(open.body()).endsWith("# EOF\n");
        }
    }

    @Test
    void isReadyUntilItDrainsAndTellsSystemd() throws Exception {
        String socket = directory.resolve("notify").toString();
        try (NotifySocket systemd = new NotifySocket(group, socket);
                InitiatorHost host = InitiatorHost.openFirst(List.of(INITIATOR), new RoceDevices())) {
            TargetService service =
                    start(0, Map.of("NOTIFY_SOCKET", socket, "WATCHDOG_USEC", "300000"), new SlowStop());
            assertThat(systemd.next()).isEqualTo("READY=1\nSTATUS=Serving 1 LUNs on 127.44.1.1");
            assertThat(systemd.next()).isEqualTo("WATCHDOG=1");
            assertThat(get(service, "/readyz").statusCode()).isEqualTo(200);
            assertThat(get(service, "/livez").statusCode()).isEqualTo(200);
            service.close();
            String message = systemd.next();
            while (message.equals("WATCHDOG=1")) {
                message = systemd.next();
            }
            assertThat(message).startsWith("STOPPING=1");
            assertThat(SlowStop.answer).isEqualTo("503 stopping");
        }
    }

    @Test
    void streamsEventsToABoundedNumberOfClients() throws Exception {
        try (TargetService service = start(0, Map.of())) {
            HttpResponse<java.io.InputStream> events = client.send(
                    request(service, "/events?kinds=login,channel").build(), HttpResponse.BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
                assertThat(lines.readLine()).as("the first heartbeat").startsWith(":");
                try (InitiatorHost host = InitiatorHost.openFirst(List.of(INITIATOR), new RoceDevices());
                        BlockingSrpClient session = logIn(host)) {
                    session.testUnitReady(0);
                    String line = lines.readLine();
                    while (!line.startsWith("event: login_accepted")) {
                        line = lines.readLine();
                    }
                    assertThat(lines.readLine())
                            .startsWith("data: {\"port\":\"roce-lo/1\"")
                            .contains("127.44.1.2");
                }
            }
            assertThat(get(service, "/events?kinds=weather").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void takesATakenDefaultPortForAWarningAndAChosenOneForAnError() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", taken.getLocalPort());

            assertThatThrownBy(() -> TargetService.start(
                            configuration(new RuntimeSettings(
                                    ProviderChoice.SOFTWARE,
                                    address,
                                    true,
                                    RuntimeSettings.LogFormat.TEXT,
                                    Duration.ZERO,
                                    0,
                                    Duration.ZERO)),
                            GUID,
                            new RoceDevices(),
                            Map.of()))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
            try (TargetService service = TargetService.start(
                    configuration(new RuntimeSettings(
                            ProviderChoice.SOFTWARE,
                            address,
                            false,
                            RuntimeSettings.LogFormat.TEXT,
                            Duration.ZERO,
                            0,
                            Duration.ZERO)),
                    GUID,
                    new RoceDevices(),
                    Map.of())) {
                assertThat(service.httpAddress()).isNull();
                assertThat(service.addresses()).hasSize(1);
            }
        }
    }

    @Test
    void theStatusPageAsksNobodyElse() throws Exception {
        try (TargetService service = start(0, Map.of())) {
            for (String path : new String[] {"/", "/status.css", "/status.js"}) {
                HttpResponse<String> part = get(service, path);
                assertThat(part.statusCode()).as(path).isEqualTo(200);
                assertThat(part.headers().firstValue("content-security-policy").orElse(""))
                        .as(path)
                        .contains("default-src 'self'");
                // The name of the SVG language is no address.
                assertThat(part.body().replace("http://www.w3.org/2000/svg", ""))
                        .doesNotContainPattern("://|[\"'(]//");
            }
        }
    }

    @Test
    void listsEveryMetricInTheReadme() throws Exception {
        try (TargetService service = start(0, Map.of())) {
            String scrape = get(service, "/metrics").body();
            assertThat(MetricsTable.ofReadme(Path.of("../README.md"))).isEqualTo(MetricsTable.ofScrape(scrape));
            assertThat(Files.readString(Path.of("../README.md"))).contains(MetricsTable.ofMetrics());
        }
    }

    private static BlockingSrpClient logIn(InitiatorHost host) throws Exception {
        BlockingSrpClient session =
                host.login(host.session(TARGET, 5555, host.discoverOne(TARGET)).build());
        session.testUnitReady(0);
        return session;
    }

    private TargetService start(int initiators, Map<String, String> environment) throws Exception {
        return start(initiators, environment, new RoceDevices());
    }

    private TargetService start(int initiators, Map<String, String> environment, DeviceFactory devices)
            throws Exception {
        RuntimeSettings runtime = new RuntimeSettings(
                ProviderChoice.SOFTWARE,
                new InetSocketAddress("127.0.0.1", 0),
                true,
                RuntimeSettings.LogFormat.TEXT,
                Duration.ZERO,
                initiators,
                Duration.ofSeconds(1));
        TargetService service = TargetService.start(configuration(runtime), GUID, devices, environment);
        if (devices instanceof SlowStop slow) {
            slow.service = service;
        }
        return service;
    }

    private ServeConfiguration configuration(RuntimeSettings runtime) {
        return new ServeConfiguration(
                List.of(LunConfiguration.of(0, new StoreSpec.Memory(1 << 20))),
                List.of(TARGET),
                5555,
                OptionalLong.of(GUID),
                directory,
                null,
                FaultSpec.NONE,
                List.of(),
                null,
                0,
                new AccessPolicy.Any(),
                true,
                TargetSettings.DEFAULT,
                runtime);
    }

    private HttpResponse<String> get(TargetService service, String path) throws Exception {
        return client.send(request(service, path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(TargetService service, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.httpAddress().getPort() + path));
    }

    /** The value of the one sample of that name with these labels. */
    static double sample(String text, String name, String... labels) {
        Pattern line = Pattern.compile(Pattern.quote(name) + "(\\{.*})? (\\S+)");
        List<Double> values = text.lines()
                .map(line::matcher)
                .filter(Matcher::matches)
                .filter(match -> List.of(labels).stream()
                        .allMatch(label -> String.valueOf(match.group(1)).contains(label)))
                .map(match -> Double.valueOf(match.group(2)))
                .toList();
        assertThat(values).as("%s with %s", name, List.of(labels)).hasSize(1);
        return values.getFirst();
    }

    private static void await(java.util.concurrent.Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - start)
                    .isLessThan(Duration.ofSeconds(20).toNanos());
            Thread.onSpinWait();
        }
    }

    /** A device at whose closing, in the middle of the stop, the service is asked whether it is ready. */
    private static final class SlowStop implements DeviceFactory {
        private static volatile String answer = "";
        private volatile TargetService service;

        @Override
        public io.srpt.verbs.RdmaDevice open(
                io.srpt.loop.RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras) throws ServiceException {
            io.srpt.verbs.RdmaDevice device = new RoceDevices().open(loop, addresses, extras);
            return (io.srpt.verbs.RdmaDevice) java.lang.reflect.Proxy.newProxyInstance(
                    SlowStop.class.getClassLoader(),
                    new Class<?>[] {io.srpt.verbs.RdmaDevice.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            ask();
                        }
                        return method.invoke(device, arguments);
                    });
        }

        private void ask() throws Exception {
            try (HttpClient client = HttpClient.newHttpClient()) {
                HttpResponse<String> response =
                        client.send(request(service, "/readyz").build(), HttpResponse.BodyHandlers.ofString());
                answer = response.statusCode() + " " + response.body().strip();
            }
        }
    }
}
