package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.BlockingSrpClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** The commands that change a running service, as somebody types them. */
@Timeout(60)
class RemoteCommandsTest {
    private static final String CONFIGURATION = LiveService.withToken() + "acls: any\nlun: memory:1MiB\n";

    private final Map<String, String> environment = new HashMap<>();
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void changeDisks() throws Exception {
        Path disk = directory.resolve("disk.img");
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            use(live);
            assertThat(run("lun", "list")).isZero();
            assertThat(out.toString().lines()).first().asString().startsWith("LUN  SIZE  STORE");
            assertThat(out.toString().lines().toList().get(1)).startsWith("0    1MiB  memory");
            assertThat(run("lun", "add", "file:" + disk + ":1MiB", "--lun", "5", "--serial", "S5"))
                    .isZero();
            assertThat(out.toString()).startsWith("LUN 5: added 1MiB, ");
            assertThat(run("lun", "grow", "5", "2MiB")).isZero();
            assertThat(out.toString()).startsWith("LUN 5: has 2MiB, ");
            assertThat(run("config", "save")).isZero();
            assertThat(out.toString()).startsWith("saved " + live.file());
            assertThat(Files.readString(live.file())).contains("file:" + disk + ":2MiB");
            assertThat(run("lun", "remove", "5")).isZero();
            assertThat(out.toString().strip()).isEqualTo("LUN 5: removed");
            assertThat(run("config", "reload")).isZero();
            assertThat(out.toString().strip()).isEqualTo("lun 5: added");
            assertThat(run("config", "reload")).isZero();
            assertThat(out.toString().strip()).isEqualTo("nothing has changed");
        }
    }

    @Test
    void changeSessionsAndPorts() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            use(live);
            assertThat(run("session", "list", "-o", "json")).isZero();
            Map<?, ?> answer = JsonMapper.shared().readValue(out.toString(), Map.class);
            Map<?, ?> first = (Map<?, ?>) ((List<?>) answer.get("sessions")).getFirst();
            String initiator = String.valueOf(first.get("initiator"));
            assertThat(run("session", "close", initiator, "--port", "roce-lo/1"))
                    .isZero();
            assertThat(out.toString().strip()).isEqualTo(initiator + ": closed, it had 1 channels");
            assertThat(session.onClosed().get(10, TimeUnit.SECONDS)).isNotNull();
            assertThat(run("session", "close", initiator)).isEqualTo(ExitCode.FAILURE);
            assertThat(err.toString().strip()).isEqualTo("srpt: no session of " + initiator + " is there");
            assertThat(run("port", "disable", "roce-lo/1")).isZero();
            assertThat(run("port", "list")).isZero();
            assertThat(out.toString()).contains("roce-lo/1", "false");
            assertThat(run("port", "enable", ADDRESS)).isZero();
            assertThat(out.toString().strip()).isEqualTo(ADDRESS + ": enabled");
        }
    }

    @Test
    void sayWhyNot() throws Exception {
        try (LiveService live = LiveService.start(directory, CONFIGURATION)) {
            use(live);
            assertThat(run("lun", "add", "memory:1MiB", "--lun", "0")).isEqualTo(ExitCode.FAILURE);
            assertThat(err.toString().strip()).isEqualTo("srpt: there is a LUN 0 already");
            assertThat(run("lun", "list", "-o", "xml")).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString()).contains("-o: 'xml' is neither table nor json");
            assertThat(run("lun", "list", "--url", "ftp://x")).isEqualTo(ExitCode.USAGE);
            assertThat(run("lun")).isEqualTo(ExitCode.USAGE);
            assertThat(run("lun", "grow", "x")).isEqualTo(ExitCode.USAGE);
            environment.remove("SRPT_HTTP_TOKEN");
            assertThat(run("lun", "remove", "0")).isEqualTo(ExitCode.FAILURE);
            assertThat(err.toString()).contains("send the service's token");
            assertThat(run("lun", "remove", "0", "--token-file", directory + "/none"))
                    .isEqualTo(ExitCode.FAILURE);
            assertThat(err.toString()).contains("there is no file");
            Path token = Files.writeString(directory.resolve("token"), LiveService.TOKEN + "\n");
            assertThat(run("lun", "add", "memory:1MiB", "--token-file", token.toString()))
                    .isZero();
        }
        assertThat(run("lun", "list")).isEqualTo(ExitCode.FAILURE);
        assertThat(err.toString()).contains("nobody answers at");
    }

    @Test
    void printTheSchemaWithoutAService() {
        assertThat(run("config", "schema")).isZero();
        assertThat(JsonMapper.shared().readTree(out.toString()).path("title").asString())
                .isEqualTo("Configuration of srpt serve");
    }

    private void use(LiveService live) {
        environment.put("SRPT_URL", live.uri("").toString());
        environment.put("SRPT_HTTP_TOKEN", LiveService.TOKEN);
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        CommandContext context =
                new CommandContext(new RoceDevices(), environment, directory, () -> 1, stop -> stop.run());
        CommandLine line = SrptCommand.commandLine(context, arguments);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(new ArrayList<>(List.of(arguments)).toArray(String[]::new));
    }
}
