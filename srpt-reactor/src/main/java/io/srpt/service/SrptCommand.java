package io.srpt.service;

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
        versionProvider = SrptVersion.class)
public final class SrptCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Runs the command line and exits the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SrptCommand()).execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing subcommand");
    }
}
