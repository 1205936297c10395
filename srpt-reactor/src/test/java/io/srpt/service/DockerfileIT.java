package io.srpt.service;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds {@code docker/Dockerfile} and runs what comes out; skipped where a tool for that is missing. */
class DockerfileIT {
    @TempDir
    private Path directory;

    @Test
    void buildsAnImageThatServesIsHealthyAndStops() throws Exception {
        Scripts.check(
                directory,
                false,
                List.of(Path.of("../docker/check-dockerfile.sh")
                        .toAbsolutePath()
                        .toString()));
    }
}
