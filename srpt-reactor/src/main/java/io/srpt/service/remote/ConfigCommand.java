package io.srpt.service.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code srpt config}: the configuration of a running service. */
@Command(
        name = "config",
        description =
                "Saves the configuration of a running service, or has it read its file again; prints the JSON schema of"
                        + " configuration files.",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:no answer, or the service refuses and says why", "2:wrong options"})
public final class ConfigCommand implements Runnable {
    /** The JSON schema of configuration files, beside this class. */
    private static final String SCHEMA = "configuration.schema.json";

    @Mixin
    private final RemoteOptions remote;

    @Spec
    private @Nullable CommandSpec spec;

    /** With the variables of {@code environment}. */
    public ConfigCommand(Map<String, String> environment) {
        remote = new RemoteOptions(environment);
    }

    @Override
    public void run() {
        throw RemoteOptions.missing(spec);
    }

    @Command(
            name = "save",
            description =
                    "Writes what runs into the file of serve --config. The file as it was stays as a backup, one of ten.")
    int save(
            @Option(names = "--force", description = "Even if somebody has changed the file since the service read it.")
                    boolean force)
            throws IOException {
        Map<String, Object> body = force ? Map.of("force", true) : Map.of();
        return remote.print(remote.service().send("POST", "config/save", body), (out, answer) -> {
            out.println("saved " + answer.get("file"));
            for (Object key : list(answer, "shadowed")) {
                out.println(
                        "note: the service was started with --" + key + " or its variable, which wins over the file");
            }
        });
    }

    @Command(
            name = "reload",
            description =
                    "Has the service read its file again and follow it. Changes that were not saved are undone by that.")
    int reload() throws IOException {
        return remote.print(remote.service().send("POST", "reload", Map.of()), ConfigCommand::print);
    }

    private static void print(PrintWriter out, Map<String, Object> answer) {
        list(answer, "changes").forEach(out::println);
        list(answer, "needs_restart").forEach(what -> out.println("needs a restart: " + what));
        if (list(answer, "changes").isEmpty() && list(answer, "needs_restart").isEmpty()) {
            out.println("nothing has changed");
        }
    }

    private static List<?> list(Map<String, Object> answer, String name) {
        return answer.get(name) instanceof List<?> list ? list : List.of();
    }

    @Command(name = "schema", description = "Prints the JSON schema of configuration files. Asks no service.")
    int schema() throws IOException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.print(schemaText());
        out.flush();
        return 0;
    }

    /** The JSON schema of configuration files. */
    public static String schemaText() throws IOException {
        try (InputStream in = ConfigCommand.class.getResourceAsStream(SCHEMA)) {
            return new String(Objects.requireNonNull(in, SCHEMA).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
