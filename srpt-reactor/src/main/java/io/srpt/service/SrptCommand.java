package io.srpt.service;

import io.srpt.service.remote.ConfigCommand;
import io.srpt.service.remote.LunCommand;
import io.srpt.service.remote.PortCommand;
import io.srpt.service.remote.SessionCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code srpt}: its subcommands do the work, called without one it reports a usage error. */
@Command(
        name = "srpt",
        description = "An SRP target (SCSI RDMA Protocol) in user space.",
        mixinStandardHelpOptions = true,
        versionProvider = SrptVersion.class,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:it failed at run time", "2:wrong options or configuration"})
public final class SrptCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** In the order of the help. */
    private static final Map<String, Function<CommandContext, Object>> SUBCOMMANDS = subcommands();

    private static Map<String, Function<CommandContext, Object>> subcommands() {
        Map<String, Function<CommandContext, Object>> all = new LinkedHashMap<>();
        all.put("serve", ServeCommand::new);
        all.put("check-config", CheckConfigCommand::new);
        all.put("session", context -> new SessionCommand(context.environment()));
        all.put("lun", context -> new LunCommand(context.environment()));
        all.put("port", context -> new PortCommand(context.environment()));
        all.put("config", context -> new ConfigCommand(context.environment()));
        all.put("import-lio", context -> new ImportLioCommand());
        all.put("discover", DiscoverCommand::new);
        all.put("bench", BenchCommand::new);
        all.put("demo", DemoCommand::new);
        all.put("manual", ManualCommand::new);
        return all;
    }

    /** Runs the command line and exits the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(CommandContext.ofProcess(), args).execute(args));
    }

    /** The whole command line. */
    static CommandLine commandLine(CommandContext context) {
        return commandLine(context, SUBCOMMANDS.keySet());
    }

    /** The part that {@code args} name: picocli takes its time to look at each subcommand's options. */
    static CommandLine commandLine(CommandContext context, String... args) {
        return args.length > 0 && SUBCOMMANDS.containsKey(args[0])
                ? commandLine(context, Set.of(args[0]))
                : commandLine(context);
    }

    private static CommandLine commandLine(CommandContext context, Set<String> names) {
        CommandLine line = new CommandLine(new SrptCommand());
        SUBCOMMANDS.forEach((name, subcommand) -> {
            if (names.contains(name)) {
                line.addSubcommand(name, subcommand.apply(context));
            }
        });
        line.setExecutionExceptionHandler((failure, failed, parsed) -> report(failure, failed));
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(commandLine(spec), "Missing subcommand");
    }

    /** Where a command prints its results. */
    static PrintWriter out(@Nullable CommandSpec spec) {
        return commandLine(spec).getOut();
    }

    /** Where a command prints what is not its result. */
    static PrintWriter err(@Nullable CommandSpec spec) {
        return commandLine(spec).getErr();
    }

    private static CommandLine commandLine(@Nullable CommandSpec spec) {
        return Objects.requireNonNull(spec, "picocli has not set the command's spec")
                .commandLine();
    }

    /** One line for what the operator can mend; a stack trace only for what should not happen. */
    private static int report(Exception failure, CommandLine failed) throws Exception {
        PrintWriter err = failed.getErr();
        switch (failure) {
            case ConfigurationException wrong -> {
                err.println("srpt: " + wrong.getMessage());
                return ExitCode.USAGE;
            }
            case ServiceException known -> {
                err.println("srpt: " + known.getMessage());
                return ExitCode.FAILURE;
            }
            case IOException known -> {
                err.println("srpt: " + known.getMessage());
                return ExitCode.FAILURE;
            }
            default -> throw failure;
        }
    }
}
