package io.srpt.initiator;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link SrpBench} measured after its warm-up.
 *
 * @param reads commands that read and ended well
 * @param writes commands that wrote and ended well
 * @param transferLength bytes of each
 * @param elapsedNanos time measured
 * @param errors commands that failed, the warm-up included
 * @param firstError what the first of them said
 * @param totalReads commands that read and ended well in all, warm-up and end of the run included
 * @param totalWrites the same of commands that wrote
 * @param sessionLost whether the run was cut short because the session ended
 */
public record SrpBenchResult(
        long reads,
        long writes,
        int transferLength,
        long elapsedNanos,
        long errors,
        @Nullable String firstError,
        long totalReads,
        long totalWrites,
        boolean sessionLost) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Commands a second. */
    public double iops() {
        return elapsedNanos == 0 ? 0 : (reads + writes) * NANOS_PER_SECOND / elapsedNanos;
    }

    /** Bytes a second. */
    public double bytesPerSecond() {
        return iops() * transferLength;
    }
}
