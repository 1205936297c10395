package io.srpt.guest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** One guest, one wire and one target for all cases of a run. */
final class GuestLab implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final boolean KERNEL_TARGET =
            System.getProperty("srpt.guest.target", "").equals("kernel");

    private final GuestTool tool;
    private final Initiator initiator;
    private final Target target;
    /** A run that is interrupted leaves no guest behind. */
    private final Thread hook;

    private @Nullable GuestJava jvm;

    private GuestLab(GuestTool tool) {
        this.tool = tool;
        this.hook = new Thread(() -> tool.run(LIMIT, "down"), "guest-down");
        Runtime.getRuntime().addShutdownHook(hook);
        tool.run(LIMIT, "sweep").orFail("cannot clean up after earlier runs");
        tool.run(LIMIT, "prepare").orFail("no guest kernel");
        this.initiator = new Initiator(tool);
        this.target = KERNEL_TARGET ? KernelTarget.start(tool) : TargetProcess.start(tool, 1);
    }

    static GuestLab open(GuestTool tool) {
        return new GuestLab(tool);
    }

    GuestTool tool() {
        return tool;
    }

    Initiator initiator() {
        return initiator;
    }

    /** The target that most cases share. */
    Target target() {
        return target;
    }

    /** How a JVM is started in a guest; made when the first case needs one. */
    GuestJava jvm() {
        GuestJava made = jvm;
        if (made == null) {
            made = GuestJava.prepare(tool);
            jvm = made;
        }
        return made;
    }

    /** Whether the kernel's target is in the place of ours. */
    boolean isKernelTarget() {
        return KERNEL_TARGET;
    }

    /**
     * A target of a case's own, at its own addresses; the case closes it.
     *
     * @param number 2 or 3
     */
    Target startTarget(int number, String... options) {
        if (KERNEL_TARGET) {
            throw new TestAbortedException("the kernel's target has no options " + List.of(options));
        }
        return TargetProcess.start(tool, number, options);
    }

    /** A target of a case's own with the disks of {@code options} only; the case closes it. */
    TargetProcess startFileTarget(int number, String... options) {
        return TargetProcess.startWithDisks(tool, number, options);
    }

    /** Ends all; an error where the target did not end cleanly. */
    @Override
    public void close() {
        try {
            initiator.close();
            target.close();
        } finally {
            tool.run(LIMIT, "down");
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
