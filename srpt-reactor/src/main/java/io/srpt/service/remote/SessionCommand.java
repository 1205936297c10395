package io.srpt.service.remote;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code srpt session}: who is logged in to a running service. */
@Command(
        name = "session",
        description = "Lists the sessions of a running service, and closes them.",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:no answer, or the service refuses and says why", "2:wrong options"})
public final class SessionCommand implements Runnable {
    @Mixin
    private final RemoteOptions remote;

    @Spec
    private @Nullable CommandSpec spec;

    /** With the variables of {@code environment}. */
    public SessionCommand(Map<String, String> environment) {
        remote = new RemoteOptions(environment);
    }

    @Override
    public void run() {
        throw RemoteOptions.missing(spec);
    }

    @Command(name = "list", description = "Lists the sessions: port, initiator port id, addresses, channels.")
    int list() throws IOException {
        Table table = new Table("sessions")
                .column("PORT", "port")
                .column("INITIATOR", "initiator")
                .column("ADDRESSES", "addresses")
                .column("CHANNELS", "channels")
                .column("COMMANDS", "commands");
        return remote.print(remote.service().get("sessions"), table::print);
    }

    @Command(
            name = "close",
            description =
                    "Ends the session of an initiator. It may log in again; acls in the configuration keep it out.")
    int close(
            @Parameters(paramLabel = "INITIATOR", description = "Its port id, as 'session list' shows it.")
                    String initiator,
            @Option(names = "--port", paramLabel = "PORT", description = "On this port only.") @Nullable String port)
            throws IOException {
        String query = port == null ? "" : "?port=" + RemoteService.encoded(port);
        Map<String, Object> answer =
                remote.service().send("DELETE", "sessions/" + RemoteService.encoded(initiator) + query, Map.of());
        return remote.print(
                answer,
                (out, fields) -> out.println(
                        fields.get("initiator") + ": closed, it had " + fields.get("channels") + " channels"));
    }
}
