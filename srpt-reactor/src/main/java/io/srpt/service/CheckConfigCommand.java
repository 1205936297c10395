package io.srpt.service;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code srpt check-config}: reads a configuration file and does nothing with it. */
@Command(
        name = "check-config",
        description =
                "Checks a configuration file for serve --config, and says where it is wrong: FILE:LINE:COLUMN: KEY:"
                        + " problem. Starts nothing, opens no disk.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:it can be used", "2:it is wrong"})
final class CheckConfigCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The file.")
    private Path file = Path.of("");

    CheckConfigCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws ConfigurationException, ServiceException {
        ServeSettings settings = new ConfigurationFile(file).read();
        Path state = StateDirectory.of(context.environment(), context.home());
        ServeConfiguration configuration = ServeConfigurations.of(ServeSettings.NOTHING, settings, state);
        AluaInterfaces interfaces = AluaInterfaces.of(
                configuration, configuration.runtime().provider().factory(context.devices()));
        interfaces.check(settings.one(SettingKey.ALUA));
        PrintWriter out = SrptCommand.out(spec);
        out.println(file + ": ok: " + configuration.luns().size() + " LUNs on "
                + configuration.listen().size() + " addresses, open to " + access(configuration.access()));
        if (!interfaces.unknown().isEmpty()) {
            out.println(file + ": alua: no network interface of this machine has "
                    + interfaces.unknown().stream().map(Addresses::plain).collect(Collectors.joining(", "))
                    + "; whether all addresses of an interface are in the same group is seen where they are served");
        }
        out.flush();
        return ExitCode.OK;
    }

    private static String access(AccessPolicy policy) {
        return switch (policy) {
            case AccessPolicy.Any any -> "every initiator";
            case AccessPolicy.Listed listed -> {
                int initiators = listed.rules().size();
                yield initiators == 0 ? "nobody: it has no acls" : initiators + " initiators";
            }
        };
    }
}
