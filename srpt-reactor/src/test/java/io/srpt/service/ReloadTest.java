package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_ADDRESS;
import static io.srpt.service.LiveService.SECOND_INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.initiator.BlockingSrpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a running service takes over from its file, and what it does not. */
@Timeout(60)
class ReloadTest {
    private static final String TOKEN = LiveService.withToken();

    @TempDir
    private Path directory;

    @Test
    void addsGrowsAndRemovesDisksUnderASession() throws Exception {
        Path disk = directory.resolve("disk.img");
        try (LiveService live = LiveService.start(
                        directory, TOKEN + "acls: any\nlun: [memory:1MiB, memory:2MiB, 'file:" + disk + ":1MiB']\n");
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            session.write(0, 0, new byte[512], 512);
            assertThat(session.capacity(2).bytes()).isEqualTo(1 << 20);
            live.says(TOKEN + "acls: any\nlun:\n- memory:1MiB\n- {lun: 2, store: 'file:" + disk
                    + ":4MiB'}\n- {lun: 7, store: memory:3MiB}\n");

            HttpResponse<String> answer = live.reload();

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .contains("lun 7: added", "lun 2: grown from 1MiB to 4MiB", "lun 1: taken away")
                    .contains("\"needs_restart\":[]");
            assertThat(session.reportLuns()).containsExactly(0, 2, 7);
            assertThat(session.capacity(2).bytes()).isEqualTo(4 << 20);
            assertThat(session.capacity(7).bytes()).isEqualTo(3 << 20);
            assertThat(Files.size(disk)).isEqualTo(4 << 20);
            assertThat(live.send("GET", "/metrics", null).body()).contains("srpt_lun_capacity_bytes{lun=\"7\"}");
            assertThat(live.reload().body()).contains("\"changes\":[]");
        }
    }

    @Test
    void changesNothingWhenTheFileIsWrong() throws Exception {
        try (LiveService live = LiveService.start(directory, TOKEN + "acls: any\nlun: memory:1MiB\n")) {
            ServeConfiguration before = live.server().configuration();
            live.says(TOKEN + "acls: any\nlun: [memory:1MiB, memory:1MiB]\nlissen: 127.0.0.1\n");

            HttpResponse<String> answer = live.reload();

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
            assertThat(answer.body()).contains("srpt.yaml:7:1", "unknown key 'lissen'", "did you mean 'listen'?");
            assertThat(live.server().units()).containsOnlyKeys(0);
            assertThat(live.server().configuration()).isSameAs(before);
        }
    }

    @Test
    void changesNothingWhenAPartOfItCannotBe() throws Exception {
        try (LiveService live = LiveService.start(directory, TOKEN + "acls: any\nlun: memory:1MiB\n")) {
            live.says(TOKEN + "acls: any\nlisten: [" + ADDRESS + ", " + SECOND_ADDRESS
                    + "]\nlun: [memory:2MiB, memory:1MiB, 'file:" + directory + "/missing.img']\n");

            HttpResponse<String> answer = live.reload();

            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body()).contains("LUN 2", "missing.img", "nothing was changed");
            assertThat(live.server().units()).containsOnlyKeys(0);
            assertThat(live.server().units().get(0).store().sizeBytes()).isEqualTo(1 << 20);
            assertThat(live.server().addresses()).hasSize(1);
            Files.write(directory.resolve("missing.img"), new byte[4096]);
            assertThat(live.reload().statusCode()).isEqualTo(200);
            assertThat(live.server().units()).containsOnlyKeys(0, 1, 2);
            assertThat(live.server().addresses()).hasSize(2);
        }
    }

    @Test
    void endsTheSessionsThatARuleNoLongerLetsInAndNoOthers() throws Exception {
        String lun = TOKEN + "lun: memory:1MiB\n";
        try (LiveService live =
                        LiveService.start(directory, lun + "acls: [" + INITIATOR + ", " + SECOND_INITIATOR + "]\n");
                InitiatorHost host = LiveService.initiator(INITIATOR);
                InitiatorHost secondHost = LiveService.initiator(SECOND_INITIATOR);
                BlockingSrpClient stays = LiveService.login(host, ADDRESS);
                BlockingSrpClient goes = LiveService.login(secondHost, ADDRESS)) {
            assertThat(live.says(lun + "acls: [127.0.0.9, " + INITIATOR + "]\n")
                            .reload()
                            .body())
                    .contains("acls: changed");

            assertThat(goes.onClosed().get(10, TimeUnit.SECONDS)).isNotNull();
            stays.testUnitReady(0);
            assertThatThrownBy(() -> LiveService.login(secondHost, ADDRESS)).isInstanceOf(Exception.class);
            live.says(lun + "acls: any\n").reload();
            try (BlockingSrpClient again = LiveService.login(secondHost, ADDRESS)) {
                again.testUnitReady(0);
            }
            stays.testUnitReady(0);
        }
    }

    @Test
    void disablesPortsAndKnowsTheirGroups() throws Exception {
        String lun = TOKEN + "lun: memory:1MiB\n";
        try (LiveService live = LiveService.start(directory, lun + "acls: [127.0.0.9]\n");
                InitiatorHost host = LiveService.initiator(INITIATOR)) {
            assertThatThrownBy(() -> LiveService.login(host, ADDRESS)).isInstanceOf(Exception.class);
            live.says(lun + "acls: [127.0.0.9]\nports: [{address: " + ADDRESS + ", groups: [{name: lab, acls: ["
                            + INITIATOR + "]}]}]\n")
                    .reload();
            try (BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
                live.says(lun + "acls: [127.0.0.9]\nports: [{address: " + ADDRESS + ", enabled: false}]\n")
                        .reload();
                assertThat(session.onClosed().get(10, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(live.server().target().ports().getFirst().isEnabled()).isFalse();
            live.says(lun + "acls: any\n").reload();
            LiveService.login(host, ADDRESS).close();
        }
    }

    @Test
    void listsWhatNeedsARestart() throws Exception {
        try (LiveService live = LiveService.start(
                directory,
                TOKEN + "acls: any\nlun: [memory:2MiB, memory:1MiB]\nmtu: 1024\nsrp: {max-req-size: 8276}\n")) {
            HttpResponse<String> answer = live.says(TOKEN + "acls: any\nlun: [memory:1MiB, {store: memory:1MiB, serial:"
                            + " X}]\nmtu: 2048\nsrp: {max-req-size: 4096, identification: other, sq-size: 128}\n"
                            + "drain-timeout: 1s\n")
                    .reload();

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .contains("\"mtu\"", "\"srp.max-req-size\"", "lun 0: from 2MiB to 1MiB", "lun 1: another disk")
                    .contains("srp.identification: changed", "srp: changed", "drain-timeout: changed");
            ServeConfiguration now = live.server().configuration();
            assertThat(now.mtu()).isEqualTo(1024);
            assertThat(now.target().identification()).isEqualTo("other");
            assertThat(now.target().attributes().sendQueueSize()).isEqualTo(128);
            assertThat(live.reload().body()).contains("\"mtu\"", "\"changes\":[]");
        }
    }

    @Test
    void needsTheTokenOfItsConfiguration() throws Exception {
        String disks = "acls: any\nlun: memory:1MiB\n";
        try (LiveService live = LiveService.start(directory, disks)) {
            assertThat(live.send("POST", "/api/v1/reload", LiveService.TOKEN)).satisfies(answer -> {
                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("http-token-file");
            });
        }
        try (LiveService live = LiveService.start(directory, TOKEN + disks)) {
            for (String wrong : new String[] {null, "", LiveService.TOKEN + "x", "Bearer"}) {
                HttpResponse<String> answer = live.send("POST", "/api/v1/reload", wrong);
                assertThat(answer.statusCode()).as(wrong).isEqualTo(401);
                assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
            }
            assertThat(live.send("POST", "/api/v1/nothing", null).statusCode()).isEqualTo(401);
            assertThat(live.send("POST", "/api/v1/nothing", LiveService.TOKEN).statusCode())
                    .isEqualTo(404);
            assertThat(live.send("DELETE", "/api/v1/reload", LiveService.TOKEN).statusCode())
                    .isEqualTo(405);
            live.says("http-token: another-token-of-this-test\n" + disks);
            assertThat(live.reload().statusCode()).isEqualTo(200);
            assertThat(live.reload().statusCode()).isEqualTo(401);
            assertThat(live.send("POST", "/api/v1/reload", "another-token-of-this-test")
                            .statusCode())
                    .isEqualTo(200);
        }
    }
}
