package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be changed over HTTP, and what becomes of it in the file. */
@Timeout(60)
class ServerApiTest {
    private static final String CONFIGURATION =
            LiveService.withToken() + "acls: any # who else\nlun: [memory:1MiB, {store: memory:2MiB, name: logs}]\n";

    @TempDir
    private Path directory;

    @Test
    void addsGrowsAndRemovesDisks() throws Exception {
        Path disk = directory.resolve("new.img");
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            HttpResponse<String> added =
                    change(live, "POST", "luns", "{\"store\": \"file:" + disk + ":1MiB\", \"serial\": \"S2\"}");
            assertThat(added.statusCode()).isEqualTo(201);
            assertThat(added.body()).contains("\"lun\":2", "\"serial\":\"S2\"", "\"bytes\":1048576");
            assertThat(session.reportLuns()).containsExactly(0, 1, 2);

            assertThat(change(live, "POST", "luns/2/grow", "{\"size\":\"3MiB\"}")
                            .body())
                    .contains("\"bytes\":3145728");
            assertThat(session.capacity(2).bytes()).isEqualTo(3 << 20);
            assertThat(change(live, "POST", "luns/2/grow", "{\"size\":\"2MiB\"}"))
                    .satisfies(answer -> {
                        assertThat(answer.statusCode()).isEqualTo(409);
                        assertThat(answer.body()).contains("a disk does not shrink");
                    });
            assertThat(change(live, "DELETE", "luns/0", "").statusCode()).isEqualTo(200);
            assertThat(session.reportLuns()).containsExactly(1, 2);
            assertThat(change(live, "POST", "config/save", "").statusCode()).isEqualTo(200);
            assertThat(Files.readString(live.file()))
                    .contains("file:" + disk + ":3MiB", "serial: S2", "name: logs", "lun: 1", "acls: any");
            assertThat(live.reload().body()).contains("\"changes\":[]", "\"needs_restart\":[]");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            POST   | luns             | {"lun": 1, "store": "memory:1MiB"}    | 409 | there is a LUN 1 already
            POST   | luns             | {"lun": 70000, "store": "null:1MiB"}  | 422 | 70000 is not from 0 to
            POST   | luns             | {"store": "memory:1MiB", "colour": 1} | 422 | unknown key 'colour'
            POST   | luns             | {"store": {"memory": 1}}              | 422 | a text, a number, true or false is wanted
            POST   | luns             | {"store": "file:/nowhere/at/all"}     | 409 | /nowhere/at/all
            POST   | luns             | {}                                    | 422 | the store is missing
            POST   | luns             | [1]                                   | 400 | no JSON object
            POST   | luns             | {                                     | 400 | no JSON object
            DELETE | luns/9           | {}                                    | 404 | there is no LUN 9
            DELETE | luns/x           | {}                                    | 404 | there is no LUN x
            POST   | luns/0/shrink    | {}                                    | 404 | no such thing
            PUT    | luns/0           | {}                                    | 405 | use DELETE
            POST   | luns/0/grow      | {"size": "much"}                      | 400 | 'much' is no size
            DELETE | sessions/0x0     | {}                                    | 400 | hexadecimal digits
            DELETE | sessions/0x01    | {}                                    | 404 | no session of
            POST   | ports/eth9/enable| {}                                    | 404 | there is no port eth9
            POST   | config/load      | {}                                    | 404 | no such thing
            """)
    void saysWhyNot(String method, String path, String body, int status, String detail) throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            HttpResponse<String> answer = change(live, method, path, body);

            assertThat(answer.body()).contains(detail, "\"title\":", "\"status\":" + status);
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
            assertThat(live.server().units()).containsOnlyKeys(0, 1);
        }
    }

    @Test
    void closesASessionWhichMayComeBack() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                InitiatorHost secondHost = LiveService.initiator(SECOND_INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS);
                BlockingSrpClient second = LiveService.login(secondHost, ADDRESS)) {
            String initiator = live.server().target().ports().getFirst().channels().stream()
                    .filter(channel -> Addresses.plain(channel.address()).equals(INITIATOR))
                    .findFirst()
                    .orElseThrow()
                    .initiatorPort()
                    .toString();
            assertThat(live.send("GET", "/api/v1/sessions", null).body()).contains(initiator);

            assertThat(change(live, "DELETE", "sessions/" + initiator + "?port=elsewhere", "")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(change(live, "DELETE", "sessions/0x" + initiator, "").body())
                    .contains("\"channels\":1");
            assertThat(session.onClosed().get(10, TimeUnit.SECONDS)).isNotNull();
            second.testUnitReady(0);
            LiveService.login(host, ADDRESS).close();
        }
    }

    @Test
    void disablesAndEnablesAPortByAnyOfItsNames() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            assertThat(change(live, "POST", "ports/roce-lo/1/disable", "").body())
                    .contains("\"enabled\":false");
            assertThat(session.onClosed().get(10, TimeUnit.SECONDS)).isNotNull();
            assertThat(live.send("GET", "/api/v1/ports", null).body()).contains("\"enabled\":false");
            change(live, "POST", "config/save", "");
            assertThat(Files.readString(live.file()))
                    .contains("ports:\n- address: " + ADDRESS + "\n  enabled: false\n");
            assertThat(change(live, "POST", "ports/" + ADDRESS + "/enable", "").statusCode())
                    .isEqualTo(200);
            LiveService.login(host, ADDRESS).close();
        }
    }

    @Test
    void savesWithoutDroppingWhatIsMissingAtTheTime() throws Exception {
        Path disk = directory.resolve("disk.img");
        try (LiveService live = LiveService.start(
                directory, CONFIGURATION.replace("{store: memory", "'file:" + disk + ":1MiB', {store: memory"))) {
            Files.delete(disk);
            assertThat(change(live, "POST", "luns", "{\"store\": \"memory:1MiB\", \"lun\": 9}")
                            .statusCode())
                    .isEqualTo(201);

            HttpResponse<String> answer = change(live, "POST", "config/save", "");

            assertThat(answer.body()).contains(live.file().toString(), "\"shadowed\":[]");
            assertThat(Files.readString(live.file())).contains("file:" + disk + ":1MiB", "name: logs", "lun: 9");
            assertThat(Files.getPosixFilePermissions(live.file()))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(backups())
                    .singleElement()
                    .satisfies(backup -> assertThat(Files.readString(backup)).contains("# who else"));
        }
    }

    @Test
    void doesNotSaveOverWhatSomebodyHasWrittenMeanwhile() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            change(live, "POST", "luns", "{\"store\": \"memory:1MiB\"}");
            live.says(CONFIGURATION.replace("logs", "from-the-editor"));

            assertThat(change(live, "POST", "config/save", "").body()).contains("was changed since it was read");
            assertThat(Files.readString(live.file())).contains("from-the-editor");
            assertThat(change(live, "POST", "config/save", "{\"force\": true}").statusCode())
                    .isEqualTo(200);
            assertThat(Files.readString(live.file())).contains("name: logs", "lun: 2");
            assertThat(backups()).hasSize(1);
        }
    }

    @Test
    void forgetsWithAReloadWhatWasNotSaved() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            change(live, "POST", "luns", "{\"store\": \"memory:1MiB\"}");
            assertThat(live.server().units()).containsOnlyKeys(0, 1, 2);
            assertThat(live.reload().body()).contains("lun 2: taken away");
            assertThat(live.server().units()).containsOnlyKeys(0, 1);
        }
    }

    @Test
    void keepsALunThatARuleNames() throws Exception {
        try (LiveService live =
                LiveService.start(directory, CONFIGURATION.replace("any", "[{initiator: 127.0.0.9, luns: [1]}]"))) {
            HttpResponse<String> answer = change(live, "DELETE", "luns/1", "");
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("acls[0].luns[0]: there is no LUN 1");
            assertThat(live.server().units()).containsOnlyKeys(0, 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, luns",
        "DELETE, luns/1",
        "POST, luns/1/grow",
        "DELETE, sessions/0x01",
        "POST, ports/roce-lo/1/disable",
        "POST, config/save",
        "POST, reload"
    })
    void changesNothingWithoutTheRightToken(String method, String path) throws Exception {
        String body = "{\"store\": \"memory:1MiB\", \"size\": \"4MiB\"}";
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            for (String wrong : new String[] {null, "", LiveService.TOKEN.substring(1)}) {
                HttpResponse<String> answer = live.send(method, "/api/v1/" + path, wrong, body);
                assertThat(answer.statusCode()).as(wrong).isEqualTo(401);
                assertThat(answer.body()).doesNotContain(LiveService.TOKEN.substring(1));
            }
            assertIsAsItWas(live);
        }
        String noToken = CONFIGURATION.replaceFirst("(?m)^http-token: .*\\n", "");
        assertThat(noToken).isNotEqualTo(CONFIGURATION);
        try (LiveService live = LiveService.start(directory, noToken)) {
            assertThat(live.send(method, "/api/v1/" + path, LiveService.TOKEN, body)
                            .statusCode())
                    .isEqualTo(403);
            assertIsAsItWas(live);
        }
    }

    private void assertIsAsItWas(LiveService live) throws Exception {
        assertThat(live.server().units()).containsOnlyKeys(0, 1);
        assertThat(live.server().units().get(1).store().sizeBytes()).isEqualTo(2 << 20);
        assertThat(live.server().target().ports().getFirst().isEnabled()).isTrue();
        assertThat(backups()).isEmpty();
    }

    private List<Path> backups() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("srpt.yaml."))
                    .toList();
        }
    }

    private static HttpResponse<String> change(LiveService live, String method, String path, String body)
            throws Exception {
        return live.send(method, "/api/v1/" + path, LiveService.TOKEN, body);
    }
}
