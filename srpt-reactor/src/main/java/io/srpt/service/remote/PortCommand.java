package io.srpt.service.remote;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code srpt port}: the ports of a running service. */
@Command(
        name = "port",
        description =
                "Lists the ports of a running service, disables and enables them. What is changed is lost with the"
                        + " service unless 'srpt config save' keeps it.",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:no answer, or the service refuses and says why", "2:wrong options"})
public final class PortCommand implements Runnable {
    private static final String NAME = "Its name, or one of its addresses, as 'port list' shows them.";

    @Mixin
    private final RemoteOptions remote;

    @Spec
    private @Nullable CommandSpec spec;

    /** With the variables of {@code environment}. */
    public PortCommand(Map<String, String> environment) {
        remote = new RemoteOptions(environment);
    }

    @Override
    public void run() {
        throw RemoteOptions.missing(spec);
    }

    @Command(name = "list", description = "Lists the ports: name, addresses, whether it takes logins, sessions.")
    int list() throws IOException {
        Table table = new Table("ports")
                .column("PORT", "name")
                .column("GID", "gid")
                .column("ENABLED", "enabled")
                .column("SESSIONS", "sessions")
                .column("COMMANDS", "commands");
        return remote.print(remote.service().get("ports"), table::print);
    }

    @Command(name = "enable", description = "Has a port take logins.")
    int enable(@Parameters(paramLabel = "PORT", description = NAME) String port) throws IOException {
        return change(port, "enable");
    }

    @Command(name = "disable", description = "Ends the sessions on a port and has it refuse logins.")
    int disable(@Parameters(paramLabel = "PORT", description = NAME) String port) throws IOException {
        return change(port, "disable");
    }

    private int change(String port, String verb) throws IOException {
        Map<String, Object> answer =
                remote.service().send("POST", "ports/" + RemoteService.encoded(port) + "/" + verb, Map.of());
        return remote.print(answer, (out, fields) -> out.println(port + ": " + verb + "d"));
    }
}
