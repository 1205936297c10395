package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** tcpdump on the guest's tap interface, from {@link #start} to {@link #close()}. */
final class PacketCapture implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final GuestTool tool;
    private final Path file;

    private PacketCapture(GuestTool tool, Path file) {
        this.tool = tool;
        this.file = file;
    }

    static PacketCapture start(GuestTool tool, GuestMachine machine, String name) {
        Path file = tool.directory().resolve(name);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tool.run(LIMIT, "capture", "start", file.toString(), machine.tap(), "udp", "port", "4791")
                .orFail("tcpdump");
        return new PacketCapture(tool, file);
    }

    /** Stops it; what was on the wire until now is in the file. */
    @Override
    public void close() {
        Report end = Report.parse(tool.run(LIMIT, "capture", "stop", file.toString())
                .orFail("tcpdump")
                .output());
        if (end.lines().stream().noneMatch(line -> line.startsWith("0 packets dropped"))) {
            throw new AssertionError("tcpdump lost packets:\n" + end.text());
        }
    }

    /** Invariant CRCs and what was said by whom, by a checker that shares no code with the product. */
    static Report check(GuestTool tool, Path file, Target target) {
        List<String> command = new ArrayList<>(
                List.of("python3", tool.script("check-fabric.py").toString(), file.toString()));
        target.lines().forEach(line -> command.add(line.address()));
        return Report.parse(
                tool.execute(LIMIT, command).orFail("check-fabric.py").output());
    }

    Path file() {
        return file;
    }

    /** How many packets of a capture tshark finds with this display filter. */
    static long tshark(GuestTool tool, Path file, String filter) {
        String command =
                "tshark -n -r '%s' -Y '%s' -T fields -e frame.number 2>/dev/null | wc -l".formatted(file, filter);
        return Long.parseLong(tool.execute(LIMIT, List.of("bash", "-o", "pipefail", "-c", command))
                .orFail("tshark")
                .output()
                .strip());
    }
}
