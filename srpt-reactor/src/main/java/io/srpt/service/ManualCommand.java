package io.srpt.service;

import io.srpt.service.manual.ConfigurationPage;
import io.srpt.service.manual.ManualPage;
import io.srpt.service.remote.ConfigCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code srpt manual}: what packages install beside the program. */
@Command(
        name = "manual",
        description =
                "Writes man pages and the completion of bash into a folder. They say what --help and the configuration's schema"
                        + " say.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:a file cannot be written", "2:wrong options"})
final class ManualCommand implements Callable<Integer> {
    static final String EXAMPLE = "example.yaml";

    private static final String MAN = "man/man";
    private static final String BASH = "bash-completion/completions";

    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description =
                    "Such as ~/.local/share, where man and bash look: into man/man8, man/man5 and bash-completion/completions.")
    private Path directory = Path.of("");

    ManualCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        CommandLine whole = SrptCommand.commandLine(context);
        List<ManualPage> pages = ManualPage.of(whole, SrptVersion.version()).toList();
        Path man = Files.createDirectories(directory.resolve(MAN + ManualPage.SECTION));
        for (ManualPage page : pages) {
            Files.writeString(man.resolve(page.fileName()), page.text());
        }
        Path formats = Files.createDirectories(directory.resolve(MAN + ConfigurationPage.SECTION));
        Files.writeString(formats.resolve(ConfigurationPage.fileName()), configurationPage());
        Path completions = Files.createDirectories(directory.resolve(BASH));
        String name = whole.getCommandName();
        Files.writeString(completions.resolve(name), AutoComplete.bash(name, whole));
        SrptCommand.out(spec)
                .println(pages.size() + 1 + " man pages in " + man.getParent() + ", completion in " + completions);
        return ExitCode.OK;
    }

    private static String configurationPage() throws IOException {
        Map<?, ?> schema = JsonMapper.shared().readValue(ConfigCommand.schemaText(), Map.class);
        try (InputStream in = ManualCommand.class.getResourceAsStream(EXAMPLE)) {
            String example = new String(Objects.requireNonNull(in, EXAMPLE).readAllBytes(), StandardCharsets.UTF_8);
            return ConfigurationPage.of(schema, example, SrptVersion.version());
        }
    }
}
