package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code srpt serve --provider disni} in a guest, on the kernel's {@code rdma_rxe}: real verbs. */
final class DisniTarget implements Target {
    static final String GUID = "020000fffe000020";

    private static final Duration READY_LIMIT = Duration.ofSeconds(180);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final Duration STEP_LIMIT = Duration.ofSeconds(60);
    private static final int ADDRESSES = 2;

    private final GuestMachine machine;
    private final TargetFiles files;
    /** Its exit status, once it has ended. */
    private final Path status;

    private final List<TargetLine> lines;

    private DisniTarget(GuestMachine machine, TargetFiles files, Path status) {
        this.machine = machine;
        this.files = files;
        this.status = status;
        boolean ready = Await.until(READY_LIMIT, () -> files.readyLines().size() == ADDRESSES || hasEnded());
        if (!ready || hasEnded()) {
            throw new AssertionError("the target is not ready:\n" + log());
        }
        this.lines = files.readyLines();
    }

    /** Starts it in {@code machine}, which has software RoCE. */
    static DisniTarget start(GuestMachine machine, GuestJava jvm, String... options) {
        Path share = machine.share();
        TargetFiles files = new TargetFiles(share.resolve("srpt.log"), share.resolve("statistics"));
        files.clear();
        machine.run(
                STEP_LIMIT,
                "bash /guest/service.sh start srpt "
                        + jvm.srpt("serve --provider disni --lun memory:64MiB --http none --service-guid " + GUID
                                + " --state-dir /share/state --stats-file /share/statistics "
                                + String.join(" ", options)));
        return new DisniTarget(machine, files, share.resolve("srpt.status"));
    }

    private boolean hasEnded() {
        return Files.exists(status);
    }

    @Override
    public List<TargetLine> lines() {
        return lines;
    }

    @Override
    public Report statistics() {
        return files.freshStatistics();
    }

    /** What the process holds: descriptors, and objects of the RDMA device as the kernel counts them. */
    Report held() {
        return machine.run(STEP_LIMIT, "bash /guest/held.sh $(</share/srpt.pid)");
    }

    @Override
    public String log() {
        return files.logText();
    }

    /** Ends it with SIGTERM if it runs; an error unless it ends by itself, cleanly, and with no buffer leaked. */
    @Override
    public void close() {
        machine.run(STOP_LIMIT, "bash /guest/service.sh stop srpt " + (STOP_LIMIT.toSeconds() - 5));
        try {
            files.assertEndedCleanly(Integer.parseInt(Files.readString(status).strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
