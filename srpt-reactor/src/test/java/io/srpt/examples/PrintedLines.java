package io.srpt.examples;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What an example prints, line by line. */
final class PrintedLines {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Takes lines. */
    PrintStream stream() {
        return new PrintStream(OutputStream.nullOutputStream(), true) {
            @Override
            public void println(@Nullable String line) {
                lines.add(String.valueOf(line));
            }
        };
    }

    /** Waits for a line that matches; drops those before it. */
    void await(String pattern, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (String line = next(end); line != null; line = next(end)) {
            if (line.matches(pattern)) {
                return;
            }
        }
        throw new AssertionError("no line like " + pattern);
    }

    private @Nullable String next(long end) throws InterruptedException {
        return lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
