package io.srpt.store;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of the errors of one store, once in ten seconds at most, with the number of those that were left out. */
final class FileErrorLog {
    private static final Logger LOG = LoggerFactory.getLogger(FileErrorLog.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private boolean warned;
    private long lastNanos;
    private long leftOut;

    synchronized void log(FileStore store, FileOperation.Kind kind, String reason, long offset) {
        long now = System.nanoTime();
        if (warned && now - lastNanos < QUIET_NANOS) {
            leftOut++;
            return;
        }
        LOG.warn(
                "{} of {} failed at byte {}: {} ({} more errors since the last warning)",
                kind,
                store,
                offset,
                reason,
                leftOut);
        warned = true;
        lastNanos = now;
        leftOut = 0;
    }
}
