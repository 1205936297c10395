package io.srpt.service.remote;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Which service a command talks to, with which token, and how it prints the answer. */
final class RemoteOptions {
    static final String DEFAULT_URL = "http://127.0.0.1:9464";

    private static final List<String> FORMATS = List.of("table", "json");

    private final Map<String, String> environment;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The service's HTTP side. Default: $SRPT_URL, else " + DEFAULT_URL)
    private @Nullable String url;

    @Option(
            names = "--token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description =
                    "A file with the service's token, which changes need. Default: $SRPT_HTTP_TOKEN_FILE, else the"
                            + " token itself in $SRPT_HTTP_TOKEN")
    private @Nullable Path tokenFile;

    @Option(
            names = {"-o", "--output"},
            scope = ScopeType.INHERIT,
            paramLabel = "table|json",
            description = "How the answer is printed. Default: table")
    private String output = "table";

    RemoteOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The service; all options are looked at before anything is asked of it. */
    RemoteService service() throws IOException {
        if (!FORMATS.contains(output)) {
            throw wrong("-o: '" + output + "' is neither table nor json");
        }
        String text = url == null ? environment.get("SRPT_URL") : url;
        String base = text == null || text.isBlank() ? DEFAULT_URL : text;
        try {
            URI uri = URI.create(base.endsWith("/") ? base.substring(0, base.length() - 1) : base);
            if (List.of("http", "https").contains(uri.getScheme()) && uri.getHost() != null) {
                return new RemoteService(uri, token());
            }
        } catch (IllegalArgumentException e) {
            throw wrong("--url: '" + base + "' is no address such as " + DEFAULT_URL);
        }
        throw wrong("--url: '" + base + "' is no address such as " + DEFAULT_URL);
    }

    private @Nullable String token() throws IOException {
        String named = environment.get("SRPT_HTTP_TOKEN_FILE");
        Path file = tokenFile != null ? tokenFile : named == null || named.isBlank() ? null : Path.of(named);
        if (file == null) {
            return environment.get("SRPT_HTTP_TOKEN");
        }
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            throw new RemoteException("there is no file " + file + "; choose with --token-file", e);
        }
    }

    /** Prints an answer: as it is, or as {@code table} says. */
    int print(Map<String, Object> answer, BiConsumer<PrintWriter, Map<String, Object>> table) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (output.equals("json")) {
            out.println(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(answer));
        } else {
            table.accept(out, answer);
        }
        out.flush();
        return 0;
    }

    /** That one of the commands of a group has to be named. */
    static ParameterException missing(@Nullable CommandSpec group) {
        return new ParameterException(Objects.requireNonNull(group).commandLine(), "Missing subcommand");
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
