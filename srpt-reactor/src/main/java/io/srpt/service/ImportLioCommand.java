package io.srpt.service;

import io.srpt.service.lio.LioImport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code srpt import-lio}: a configuration of LIO as one of ours. */
@Command(
        name = "import-lio",
        description =
                "Reads what targetcli saved (saveconfig.json) and prints the configuration for serve --config that says"
                        + " the same. What has no counterpart is listed on standard error, and as comments at the head of the"
                        + " configuration. Starts nothing, opens no disk.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done, the list may be long", "2:it is no saveconfig.json"})
final class ImportLioCommand implements Callable<Integer> {
    private static final String COMMENT = "# ";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The file, as a rule /etc/target/saveconfig.json.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws ConfigurationException {
        LioImport.Result result = LioImport.of(read());
        PrintWriter out = SrptCommand.out(spec);
        out.println(COMMENT + "Made from " + file.getFileName() + ".");
        if (!result.leftOut().isEmpty()) {
            out.println(COMMENT + "Without counterpart:");
            result.leftOut().forEach(line -> out.println(COMMENT + "  " + line));
        }
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(200)
                .build();
        out.print(new Dump(settings).dumpToString(result.settings()));
        out.flush();
        PrintWriter err = SrptCommand.err(spec);
        result.leftOut().forEach(line -> err.println("left out: " + line));
        err.flush();
        return ExitCode.OK;
    }

    private JsonNode read() throws ConfigurationException {
        try {
            JsonNode saved = JsonMapper.shared().readTree(Files.readString(file));
            if (!saved.path("storage_objects").isArray()
                    || !saved.path("targets").isArray()) {
                throw new ConfigurationException(file + ": no saveconfig.json: it has no storage_objects and targets");
            }
            return saved;
        } catch (IOException e) {
            throw new ConfigurationException(file + ": cannot be read: " + e.getMessage(), e);
        } catch (JacksonException e) {
            throw new ConfigurationException(file + ": no JSON: " + e.getOriginalMessage(), e);
        }
    }
}
