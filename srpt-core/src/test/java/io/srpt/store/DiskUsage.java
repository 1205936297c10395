package io.srpt.store;

import java.nio.file.Path;

/** Of {@code du}; Java does not tell how many blocks a file has. */
final class DiskUsage {
    private DiskUsage() {}

    static long kib(Path path) throws Exception {
        Process du = new ProcessBuilder("du", "-k", path.toString()).start();
        try (var out = du.inputReader()) {
            return Long.parseLong(out.readLine().split("\\s")[0]);
        }
    }
}
