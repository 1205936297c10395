package io.srpt.service;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds {@code docker/Dockerfile} and runs what comes out. Skipped where not root or where Debian's package {@code buildah}, or
 * what the image is made of, is not installed, unless {@code -Dsrpt.dockerfile=required}.
 */
class DockerfileIT {
    @TempDir
    private Path directory;

    @Test
    void buildsAnImageThatServesIsHealthyAndStops() throws Exception {
        String mode = System.getProperty("srpt.dockerfile", "auto");
        assumeFalse(mode.equals("off"), "switched off by -Dsrpt.dockerfile=off");
        Scripts.check(
                directory,
                mode.equals("required"),
                List.of(Path.of("../docker/check-dockerfile.sh")
                        .toAbsolutePath()
                        .toString()));
    }
}
