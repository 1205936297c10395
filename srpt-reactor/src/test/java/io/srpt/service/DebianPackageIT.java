package io.srpt.service;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Debian package in a fresh root of the distribution. Skipped where not root, without Debian's package
 * {@code mmdebstrap}, or where the build left the package out, unless {@code -Dsrpt.debian=required}.
 */
class DebianPackageIT {
    @TempDir
    private Path directory;

    @Test
    void installsServesUpgradesAndLeavesNothingBehind() throws Exception {
        String mode = System.getProperty("srpt.debian", "auto");
        assumeFalse(mode.equals("off"), "switched off by -Dsrpt.debian=off");
        Scripts.check(
                directory,
                mode.equals("required"),
                List.of(
                        Path.of("src/test/debian/check-package.sh")
                                .toAbsolutePath()
                                .toString(),
                        System.getProperty("srpt.deb", "target/srpt.deb"),
                        System.getProperty("srpt.jar", "target/srpt.jar")));
    }
}
