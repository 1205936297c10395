package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * {@code srpt serve --provider disni} in a guest of its own, on the kernel's {@code rdma_rxe}: real verbs. The guest's root is
 * the host's, so it is the JVM and the jar of this run. Flags make an emulated machine quick, not a real one.
 */
final class DisniTarget implements Target {
    /** What a JVM in a guest is started with. */
    static final String JVM = System.getProperty("java.home")
            + "/bin/java -ea -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx256m";

    static final Path JAR =
            Path.of(System.getProperty("srpt.jar", "target/srpt.jar")).toAbsolutePath();

    private static final Duration READY_LIMIT = Duration.ofSeconds(180);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final Duration STATISTICS_LIMIT = Duration.ofSeconds(30);
    private static final Duration STEP_LIMIT = Duration.ofSeconds(60);
    private static final int ADDRESSES = 2;

    private final GuestMachine machine;
    private final Path share;
    private final List<TargetLine> lines;

    private DisniTarget(GuestMachine machine, Path share) {
        this.machine = machine;
        this.share = share;
        boolean ready = Await.until(READY_LIMIT, () -> readyLines().size() == ADDRESSES || hasEnded());
        if (!ready || hasEnded()) {
            throw new AssertionError("the target is not ready:\n" + log());
        }
        this.lines = readyLines();
    }

    /** Starts it in {@code machine}, which has software RoCE. */
    static DisniTarget start(GuestMachine machine, String... options) {
        machine.run(STEP_LIMIT, command(options));
        return new DisniTarget(machine, machine.share());
    }

    /** The command that starts it and does not wait. */
    static String command(String... options) {
        return "bash /guest/service.sh start srpt " + JVM + " -jar " + JAR
                + " serve --provider disni --lun memory:64MiB --http none --service-guid 020000fffe000020"
                + " --state-dir /share/state --stats-file /share/statistics " + String.join(" ", options);
    }

    private boolean hasEnded() {
        return Files.exists(share.resolve("srpt.status"));
    }

    private List<TargetLine> readyLines() {
        return log().lines().filter(TargetLine::matches).map(TargetLine::parse).toList();
    }

    @Override
    public List<TargetLine> lines() {
        return lines;
    }

    @Override
    public Report statistics() {
        // The clock of the guest's file system is coarse, and the host's is not exactly the guest's.
        FileTime asked = FileTime.from(Instant.now().plusMillis(20));
        if (!Await.until(STATISTICS_LIMIT, () -> modified().compareTo(asked) > 0)) {
            throw new AssertionError("the target writes no statistics:\n" + log());
        }
        return Report.parse(read(share.resolve("statistics")));
    }

    private FileTime modified() {
        try {
            Path file = share.resolve("statistics");
            return Files.exists(file) ? Files.getLastModifiedTime(file) : FileTime.fromMillis(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the process holds: descriptors, and objects of the RDMA device as the kernel counts them. */
    Report held() {
        return machine.run(STEP_LIMIT, "bash /guest/held.sh $(</share/srpt.pid)");
    }

    @Override
    public String log() {
        return read(share.resolve("srpt.log"));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it with SIGTERM; an error unless it ends by itself, cleanly, and with no buffer leaked. */
    @Override
    public void close() {
        machine.run(STOP_LIMIT, "bash /guest/service.sh stop srpt " + (STOP_LIMIT.toSeconds() - 5));
        String status = read(share.resolve("srpt.status")).strip();
        if (!status.equals("0") && !status.equals("143")) {
            throw new AssertionError("the target ended with status " + status + ":\n" + log());
        }
        if (log().contains("LEAK: ")) {
            throw new AssertionError("the target leaks buffers:\n" + log());
        }
    }
}
