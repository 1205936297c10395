package io.srpt.guest;

import java.time.Duration;
import java.util.List;
import org.opentest4j.TestAbortedException;

/**
 * The kernel's own target (ib_srpt) in a second guest, in place of ours: {@code -Dsrpt.guest.target=kernel} shows whether
 * a failure is the harness's or the target's.
 */
final class KernelTarget implements Target {
    private static final int NUMBER = 20;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final GuestMachine machine;
    private final List<TargetLine> lines;

    private KernelTarget(GuestMachine machine, List<TargetLine> lines) {
        this.machine = machine;
        this.lines = lines;
    }

    static KernelTarget start(GuestTool tool) {
        GuestMachine machine = GuestMachine.boot(tool, "target", NUMBER);
        List<TargetLine> lines = machine.run(LIMIT, "bash /guest/kernel-target.sh 64").lines().stream()
                .filter(TargetLine::matches)
                .map(TargetLine::parse)
                .toList();
        return new KernelTarget(machine, lines);
    }

    @Override
    public List<TargetLine> lines() {
        return lines;
    }

    @Override
    public Report statistics() {
        throw new TestAbortedException("the kernel's target has no statistics file");
    }

    @Override
    public String log() {
        return machine.attempt(LIMIT, "dmesg | tail -n 30").output();
    }

    @Override
    public void close() {
        machine.close();
    }
}
