package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.guest.ConformanceReport.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * libiscsi's SCSI conformance suite, {@code iscsi-test-cu}, on our disks, through the kernel's initiator and SG_IO. The
 * kernel's own target passes 104 of its 215 tests this way.
 *
 * <p>What the suite cannot do here is listed by its own words ({@link #UNABLE}); where it is wrong itself the test is named
 * with the reason ({@link #WRONG_ITSELF}).
 */
@GuestTest
class ScsiConformanceIT {
    private static final Duration LIMIT = Duration.ofMinutes(9);
    private static final int NUMBER = 2;

    private static final int THIN_512E = 0;
    private static final int MEMORY = 1;
    private static final int READ_ONLY = 2;
    private static final int SMALL_PHYSICAL_BLOCKS = 3;

    /**
     * What an SG device, a disk whose medium stays in, one that does not encrypt, and one that says that WRITE SAME takes no
     * length of 0 (WSNZ) cannot be asked.
     */
    private static final Set<String> UNABLE = Set.of(
            "only supported for iSCSI backends",
            "Non-iSCSI multipath",
            "Logical unit is not removable",
            "Media is not removable",
            "Logical unit is not write-protected",
            "does not support 0-blocks",
            "SANITIZE CRYPTO_ERASE is not implemented");

    /** Third party device failure: what EXTENDED COPY says where the disk that it writes to does not let it. */
    private static final String COPY_NOT_WRITTEN = "COPY ABORTED(0x0a) / ASCQ (null)(0x0d01)";

    /** Tests that fail or die whatever the disk does. */
    private static final Map<String, String> WRONG_ITSELF = Map.of(
            "Sanitize.OverwriteReserved",
            "writes to an iSCSI session that is not there, and dies",
            "ReportSupportedOpcodes.OneCommand",
            "has room for 16 bytes of CDB usage data; those of WRITE SAME(32) are lost on it",
            "GetLBAStatus.UnmapSingle",
            "asks for LBA i + 1 and expects an answer that begins with LBA i + 8, with 8 logical blocks in a physical one;"
                    + " passes on the disk without");

    private static Target start(GuestLab lab) throws IOException {
        Path directory = lab.tool().directory();
        Path thin = directory.resolve("conformance.img");
        Path readOnly = directory.resolve("conformance-read-only.img");
        Files.deleteIfExists(thin);
        Files.write(readOnly, new byte[16 << 20]);
        Path configuration = directory.resolve("conformance.yaml");
        Files.writeString(configuration, """
                acls: any
                lun:
                - {lun: 0, store: "file:%s:64MiB", physical-block-size: 4096, thin: true}
                - {lun: 1, store: "memory:64MiB"}
                - {lun: 2, store: "file:%s:16MiB", read-only: true}
                - {lun: 3, store: "memory:16MiB", physical-block-size: 512}
                """.formatted(thin, readOnly));
        return lab.startFileTarget(NUMBER, "--config", configuration.toString());
    }

    @Test
    void aThinFileWith512ByteBlocksOnPhysicalOnesOf4096Conforms(GuestLab lab) throws IOException {
        try (Target target = start(lab)) {
            ConformanceReport report = assertConforms(lab, target, THIN_512E);

            assertThat(report.with(Outcome.PASSED)).as(report.toString()).hasSizeGreaterThanOrEqualTo(172);
            assertThat(report.size()).isEqualTo(215);
        }
    }

    @Test
    void aDiskWithPhysicalBlocksOf512BytesTellsWhatIsUnmapped(GuestLab lab) throws IOException {
        try (Target target = start(lab)) {
            ConformanceReport report = run(lab, target, SMALL_PHYSICAL_BLOCKS, "GetLBAStatus");

            assertThat(report.with(Outcome.PASSED))
                    .as(report.toString())
                    .containsOnlyKeys("GetLBAStatus.Simple", "GetLBAStatus.BeyondEol", "GetLBAStatus.UnmapSingle");
        }
    }

    @Test
    void aReadOnlyDiskRefusesWrites(GuestLab lab) throws IOException {
        try (Target target = start(lab)) {
            if (TestProfile.isSoak()) {
                assertFailsOnlyInWriting(run(lab, target, READ_ONLY));
            }
            assertThat(run(lab, target, READ_ONLY, "ReadOnly").with(Outcome.PASSED))
                    .containsOnlyKeys("ReadOnly.ReadOnlySBC");
        }
    }

    @Test
    void aMemoryDiskConforms(GuestLab lab) throws IOException {
        String[] families =
                TestProfile.isSoak() ? new String[0] : new String[] {"Inquiry", "Unmap", "Sanitize", "ModeSense6"};
        try (Target target = start(lab)) {
            assertConforms(lab, target, MEMORY, families);
        }
    }

    private static void assertFailsOnlyInWriting(ConformanceReport report) {
        assertThat(WRONG_ITSELF.keySet())
                .as(report.toString())
                .containsAll(report.with(Outcome.CRASHED).keySet());
        assertThat(report.with(Outcome.FAILED)).allSatisfy((name, reason) -> {
            if (!WRONG_ITSELF.containsKey(name)) {
                assertThat(reason).as(name).containsAnyOf("WRITE_PROTECTED", COPY_NOT_WRITTEN);
            }
        });
    }

    private ConformanceReport assertConforms(GuestLab lab, Target target, int lun, String... families) {
        ConformanceReport report = run(lab, target, lun, families);
        assertThat(WRONG_ITSELF.keySet())
                .as(report.toString())
                .containsAll(report.with(Outcome.FAILED).keySet());
        assertThat(WRONG_ITSELF.keySet())
                .as(report.toString())
                .containsAll(report.with(Outcome.CRASHED).keySet());
        assertThat(report.with(Outcome.SKIPPED))
                .as(report.toString())
                .allSatisfy((name, reason) ->
                        assertThat(UNABLE).as(name + ": " + reason).anyMatch(reason::contains));
        return report;
    }

    private ConformanceReport run(GuestLab lab, Target target, int lun, String... families) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
        String command = "TARGET2='%s' bash /guest/conformance.sh '%s' %d %s"
                .formatted(
                        target.line(AddressFamily.IPV6).text(),
                        target.line(AddressFamily.IPV4).text(),
                        lun,
                        String.join(" ", families));
        String output = lab.initiator().machine().run(LIMIT, command).text();
        ConformanceReport report = ConformanceReport.parse(output);
        String part = families.length == 0 ? "" : "-" + String.join("-", families);
        try {
            Files.writeString(
                    lab.tool().directory().resolve("conformance-lun" + lun + part + ".txt"), report + "\n\n" + output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        GuestExtension.print(
                "SCSI suite on LUN %d: %s",
                lun, report.toString().lines().findFirst().orElse(""));
        return report;
    }
}
