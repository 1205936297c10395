package io.srpt.guest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A guest that has booted and takes commands, until {@link #close()}. */
final class GuestMachine implements AutoCloseable {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);
    /** The tool's own limit comes first and says more. */
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final GuestTool tool;
    private final String name;
    private final int number;

    private GuestMachine(GuestTool tool, String name, int number) {
        this.tool = tool;
        this.name = name;
        this.number = number;
    }

    /**
     * Boots a machine with the addresses 192.0.2.{@code number} and fd5a:1::{@code number}.
     *
     * @param options further options of {@code guest up}
     */
    static GuestMachine boot(GuestTool tool, String name, int number, String... options) {
        List<String> command =
                new ArrayList<>(List.of("up", "--name", name, "--host-number", Integer.toString(number)));
        command.addAll(List.of(options));
        tool.run(BOOT_LIMIT, command.toArray(String[]::new)).orFail("guest " + name + " does not boot");
        return new GuestMachine(tool, name, number);
    }

    /** Its network interface on the host side. */
    String tap() {
        return "tap" + number;
    }

    /** The folder of the host that is {@code /share} in it. */
    Path share() {
        return Path.of(tool.run(GRACE, "share", "--name", name)
                .orFail("guest share")
                .output()
                .strip());
    }

    /** Runs a bash command, an error unless it ends with status 0. */
    Report run(Duration limit, String command) {
        return Report.parse(attempt(limit, command).orFail(command).output());
    }

    /** Runs a bash command. */
    GuestTool.Result attempt(Duration limit, String command) {
        return tool.run(
                limit.plus(GRACE), "exec", "--name", name, "--timeout", Long.toString(limit.toSeconds()), command);
    }

    /** Ends it as a power cut does: nothing that it has in its memory reaches its disk. */
    void cutPower() {
        tool.run(GRACE, "cut", "--name", name).orFail("guest cut");
    }

    @Override
    public void close() {
        tool.run(GRACE, "down", "--name", name);
    }
}
