package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code import-lio} makes of LIO's files is served: here with small files in place of the disks of that machine. */
class ImportLioIT {
    private static final Path SAMPLES = Path.of("src/test/resources/lio");
    private static final Pattern DISK = Pattern.compile("(?:block|file):(/[^:\\s]+)(?::\\d+)?");
    private static final Pattern LISTEN = Pattern.compile("(?m)^listen:\\n- (.*)\\n(?:- .*\\n)*");
    private static final Pattern SERIAL = Pattern.compile("(?m)^  serial: (.*)$");

    private static final int DISK_BYTES = 4 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"srpt-roce", "srpt-ib", "container", "fc-alua", "iscsi-many"})
    void servesWhatItMade(String name) throws Exception {
        ServeProcess made = ServeProcess.srpt(
                directory,
                "import",
                List.of(
                        "import-lio",
                        SAMPLES.resolve("saveconfig-" + name + ".json").toString()));
        assertThat(made.exitCode()).as(made.err()).isZero();
        int port = ServeProcess.freePort();
        Path file = Files.writeString(directory.resolve("srpt.yaml"), here(made.out(), port));

        try (ServeProcess serve = ServeProcess.srpt(
                directory,
                "serve",
                List.of("serve", "--config", file.toString(), "--state-dir", directory.toString()))) {
            serve.await("ready", () -> serve.out().contains("id_ext="));
            JsonNode luns = JsonMapper.shared()
                    .readTree(
                            ServeProcess.get(HttpClient.newHttpClient(), "http://127.0.0.1:" + port + "/api/v1/luns"));
            assertThat(serials(luns)).containsExactlyElementsOf(serials(made.out()));
            serve.terminate();
            assertThat(serve.exitCode()).as(serve.err()).isZero();
        }
    }

    /** The configuration with disks and an address that this machine has. */
    private String here(String configuration, int port) throws IOException {
        StringBuilder text = new StringBuilder();
        Matcher disk = DISK.matcher(configuration);
        while (disk.find()) {
            Path file = directory.resolve(disk.group(1).replace('/', '_'));
            Files.write(file, new byte[DISK_BYTES]);
            disk.appendReplacement(text, "file:" + file);
        }
        disk.appendTail(text);
        String address = TestAddresses.ofThisProcess(8);
        Matcher listen = LISTEN.matcher(text);
        String elsewhere = listen.find() ? listen.group(1) : "";
        String rest = listen.replaceAll("");
        // Target port groups name their ports by address, too.
        return (elsewhere.isEmpty() ? rest : rest.replace("- " + elsewhere + "\n", "- " + address + "\n")) + "listen: "
                + address + "\nhttp: 127.0.0.1:" + port + "\n";
    }

    private static TreeSet<String> serials(String configuration) {
        TreeSet<String> serials = new TreeSet<>();
        SERIAL.matcher(configuration)
                .results()
                .map(MatchResult::group)
                .forEach(line -> serials.add(line.substring(line.indexOf(':') + 2)));
        return serials;
    }

    private static TreeSet<String> serials(JsonNode luns) {
        TreeSet<String> serials = new TreeSet<>();
        luns.path("luns").forEach(lun -> serials.add(lun.path("serial").asString()));
        return serials;
    }
}
