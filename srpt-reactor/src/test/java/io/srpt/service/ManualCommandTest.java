package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.Needed;
import io.srpt.service.manual.ManualPage;
import io.srpt.service.remote.ConfigCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Man pages and completion say all that the command line knows, in a form that {@code man} and {@code bash} take. */
class ManualCommandTest {
    private final CommandLine line = SrptCommand.commandLine(CommandContext.ofProcess());
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path directory;

    @BeforeEach
    void writeThem() {
        line.setOut(new PrintWriter(out, true));
        assertThat(line.execute("manual", directory.toString())).isEqualTo(ExitCode.OK);
    }

    @Test
    void everyCommandHasAPageWithEveryOption() throws Exception {
        List<CommandSpec> commands = commands(line).toList();
        assertThat(commands).hasSizeGreaterThan(6);
        for (CommandSpec command : commands) {
            String page = page(command.qualifiedName("-"));
            for (OptionSpec option : command.options()) {
                assertThat(page).contains("\\fB" + option.longestName().replace("-", "\\-") + "\\fR");
            }
            command.usageMessage()
                    .exitCodeList()
                    .keySet()
                    .forEach(code -> assertThat(page).contains("\\fB" + code + "\\fR"));
        }
    }

    @Test
    void thePageOfServeStartsWithWhatItIs() throws Exception {
        assertThat(page("srpt-serve"))
                .startsWith(".TH \"SRPT\\-SERVE\" \"8\"")
                .contains("\nsrpt\\-serve \\- Serves disks to SRP initiators until it gets SIGTERM\n")
                .contains(".TP\n\\fB\\-\\-lun\\fR=\\fISTORE\\fR\nA disk: memory:64MiB")
                .contains("\\fBsrpt\\fR(8), \\fBsrpt\\-check\\-config\\fR(8)");
    }

    @Test
    void thePageOfTheConfigurationHasEveryKeyAndWhatItMeans() throws Exception {
        String page = Files.readString(directory.resolve("man/man5/srpt.yaml.5"));
        JsonNode schema = JsonMapper.shared().readTree(ConfigCommand.schemaText());
        for (JsonNode properties : schema.findValues("properties")) {
            properties.properties().forEach(property -> {
                JsonNode value = property.getValue();
                assertThat(value.has("description") || value.has("$ref"))
                        .as(property.getKey())
                        .isTrue();
                assertThat(page)
                        .contains(".TP\n\\fB" + property.getKey().replace("-", "\\-") + ":\\fR ")
                        .contains(value.path("description").asString("").replace("-", "\\-"));
            });
        }
        assertThat(page)
                .startsWith(".TH \"SRPT.YAML\" \"5\"")
                .contains(
                        "\\fBlun:\\fR text or fields, or a list of such\nThe disks.\n.RS\n.TP\n\\fBlun:\\fR 0 to 16383\n")
                .contains("\\fBmtu:\\fR 0 | 256 | 512 | 1024 | 2048 | 4096\n");
    }

    @Test
    void groffFindsNothingToComplainAbout() throws Exception {
        Needed.isThere(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not installed");
        try (Stream<Path> pages = Files.walk(directory.resolve("man"))) {
            for (Path page : pages.filter(Files::isRegularFile).toList()) {
                assertThat(run("/usr/bin/groff", "-man", "-ww", "-z", page.toString()))
                        .as(page.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        Path completion = directory.resolve("bash-completion/completions/srpt");
        String complete = "compopt() { :; }; source '" + completion
                + "'; COMP_WORDS=(srpt %s); COMP_CWORD=%d; COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE};"
                + " _complete_srpt >/dev/null; echo ${COMPREPLY[*]}";
        assertThat(run("bash", "-c", complete.formatted("ser", 1)).strip()).isEqualTo("serve");
        assertThat(run("bash", "-c", complete.formatted("serve --rdma", 2)).strip())
                .isEqualTo("--rdma-cm-port");
    }

    private String page(String name) throws IOException {
        return Files.readString(
                directory.resolve("man/man" + ManualPage.SECTION).resolve(name + ".8"));
    }

    private static Stream<CommandSpec> commands(CommandLine of) {
        return Stream.concat(
                Stream.of(of.getCommandSpec()),
                of.getSubcommands().values().stream().flatMap(ManualCommandTest::commands));
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
