package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What signals do to a running service. */
class ServeSignalsIT {
    @TempDir
    private Path directory;

    @Test
    void endsCleanlyAtTheFirstOne() throws Exception {
        try (ServeProcess serve = serve("127.44.3.1", "--log-format", "json")) {
            serve.terminate();
            assertThat(serve.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(serve.err().lines())
                    .allMatch(line -> JsonMapper.shared().readTree(line).has("level"))
                    .anyMatch(line -> line.contains("\"Stopping\""));
        }
    }

    @Test
    void drainsAtTheFirstOneAndStopsAtOnceAtTheSecond() throws Exception {
        int port = ServeProcess.freePort();
        try (HttpClient client = HttpClient.newHttpClient();
                // A command that is never answered is in hand for as long as the drain may take.
                ServeProcess serve = serve(
                        "127.44.3.2",
                        "--http",
                        "127.0.0.1:" + port,
                        "--drain-timeout",
                        "600s",
                        "--inject",
                        "command=READ_16,nth=1,drop");
                ServeProcess bench = ServeProcess.srpt(
                        directory,
                        "bench",
                        List.of("bench", "127.44.3.2", "--local", "127.44.3.3", "--seconds", "600"))) {
            String ready = "http://127.0.0.1:" + port + "/readyz";
            assertThat(ServeProcess.get(client, ready)).isEqualTo("ok\n");
            bench.await(
                    "logged in",
                    () -> ServeProcess.get(client, "http://127.0.0.1:" + port + "/api/v1/luns")
                            .matches(".*\"reads\":[1-9].*"));
            serve.terminate();
            serve.await("draining", () -> ServeProcess.get(client, ready).equals("draining\n"));
            assertThat(serve.isAlive()).isTrue();
            serve.terminate();
            assertThat(serve.exitCode()).isEqualTo(ExitCode.STOPPED_AT_ONCE);
        }
    }

    @Test
    void readsItsFileAgainAtAHangup() throws Exception {
        Path file = directory.resolve("srpt.yaml");
        Files.writeString(file, "acls: any\n");
        try (ServeProcess serve = serve("127.44.3.4", "--config", file.toString())) {
            Files.writeString(file, "acls: [127.44.3.5]\nlisten: 127.44.3.6\n");
            serve.signal("HUP");
            serve.await("reloaded", () -> serve.err().contains("acls: changed"));
            Files.writeString(file, "acls: [nonsense]\n");
            serve.signal("HUP");
            serve.await(
                    "refused", () -> serve.err().contains("The configuration stays as it was: " + file + ":1:8: acls"));
            assertThat(serve.err()).as("options win over the file").doesNotContain("127.44.3.6");
            serve.terminate();
            assertThat(serve.exitCode()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void stopsAtAHangupWithoutAFile() throws Exception {
        try (ServeProcess serve = serve("127.44.3.7")) {
            serve.signal("HUP");
            assertThat(serve.exitCode()).isEqualTo(ExitCode.OK);
        }
    }

    private ServeProcess serve(String address, String... options) throws Exception {
        List<String> arguments = new java.util.ArrayList<>(
                List.of("serve", "--lun", "memory:16MiB", "--listen", address, "--state-dir", directory.toString()));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--http")) {
            arguments.addAll(List.of("--http", "none"));
        }
        ServeProcess serve = ServeProcess.srpt(directory, "serve", arguments);
        serve.await("ready", () -> serve.out().contains("id_ext="));
        return serve;
    }
}
